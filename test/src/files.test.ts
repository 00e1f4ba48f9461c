import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  canonicalJson,
  hashFile,
  hashText,
  joinPartition,
  makeFolder,
  moveInPlace,
  readTextIfThere,
  replaceFolder,
  temporaryBeside,
  textHash,
  writeFileWhole,
} from '../../src/files.js';
import { temporaryFolder } from '../support/rig.js';

const root = temporaryFolder();
let folder: string;
let folders = 0;

beforeEach(() => {
  folders += 1;
  folder = join(root, String(folders));
  mkdirSync(folder);
});

describe('a file written whole', () => {
  it('holds what was written, in folders that are made for it', async () => {
    const path = join(folder, 'deep', 'down', 'file.json');
    await writeFileWhole(path, 'Zażółć 🙂\n');
    expect(readFileSync(path, 'utf8')).toBe('Zażółć 🙂\n');
    await writeFileWhole(path, new Uint8Array([0, 255]));
    expect([...readFileSync(path)]).toEqual([0, 255]);
    expect(readdirSync(join(folder, 'deep', 'down'))).toEqual(['file.json']);
  });

  it('is the old content or the new for a reader at any time', async () => {
    const path = join(folder, 'CURRENT');
    const contents = ['a', 'b'].map((letter) => letter.repeat(100_000));
    await writeFileWhole(path, contents[0] ?? '');
    let writing = true;
    const seen = new Set<string>();
    const reading = (async () => {
      while (writing) {
        seen.add(readFileSync(path, 'utf8'));
        await new Promise((done) => setImmediate(done));
      }
    })();
    for (let n = 1; n <= 10; n += 1) await writeFileWhole(path, contents[n % 2] ?? '');
    writing = false;
    await reading;
    expect([...seen].every((text) => contents.includes(text))).toBe(true);
  });

  it('keeps the old content and leaves nothing beside when writing fails', async () => {
    const path = join(folder, 'file');
    await writeFileWhole(path, 'old');
    const failure = new Error('the disk is full');
    // Content that fails half way, as a full disk would.
    const content: unknown = (function* () {
      yield 'new, but only ';
      throw failure;
    })();
    await expect(writeFileWhole(path, content as string)).rejects.toBe(failure);
    expect(readFileSync(path, 'utf8')).toBe('old');
    expect(readdirSync(folder)).toEqual(['file']);
  });

  it('keeps what is there and leaves nothing beside when it cannot get its name', async () => {
    const path = join(folder, 'file');
    mkdirSync(path);
    writeFileSync(join(path, 'inside'), '');
    await expect(writeFileWhole(path, 'new')).rejects.toThrow(/EISDIR|ENOTEMPTY|EEXIST/);
    expect(readdirSync(path)).toEqual(['inside']);
    expect(readdirSync(folder)).toEqual(['file']);
  });

  it('fails where its folder is a file, and leaves that alone', async () => {
    writeFileSync(join(folder, 'file'), 'x');
    await expect(writeFileWhole(join(folder, 'file', 'below'), 'new')).rejects.toThrow(/EEXIST|ENOTDIR/);
    expect(readFileSync(join(folder, 'file'), 'utf8')).toBe('x');
  });

  it('replaces a link, not what it points to', async () => {
    writeFileSync(join(folder, 'target'), 'target');
    symlinkSync(join(folder, 'target'), join(folder, 'link'));
    await writeFileWhole(join(folder, 'link'), 'new');
    expect(readFileSync(join(folder, 'target'), 'utf8')).toBe('target');
    expect(readFileSync(join(folder, 'link'), 'utf8')).toBe('new');
  });

  it.runIf(process.getuid?.() !== 0)('fails in a folder that cannot be written, and says so', async () => {
    chmodSync(folder, 0o500);
    await expect(writeFileWhole(join(folder, 'file'), 'new')).rejects.toThrow('EACCES');
    chmodSync(folder, 0o700);
  });
});

describe('a folder that is made', () => {
  it('is made with those above it, once or many times at a time', async () => {
    const deep = join(folder, 'a', 'b', 'c');
    await Promise.all([deep, join(folder, 'a', 'b', 'd'), deep].map(makeFolder));
    expect(await makeFolder(deep)).toBeUndefined();
    expect(await makeFolder(join(folder, 'e', 'f'))).toBe(join(folder, 'e'));
    expect(readdirSync(join(folder, 'a', 'b')).sort()).toEqual(['c', 'd']);
  });

  it('cannot be made where a file has its name or is above it, nor below /proc, and that is said', async () => {
    writeFileSync(join(folder, 'file'), '');
    await expect(makeFolder(join(folder, 'file'))).rejects.toThrow(/EEXIST.*file/);
    await expect(makeFolder(join(folder, 'file', 'below'))).rejects.toThrow(/ENOTDIR.*below/);
    if (process.platform === 'linux') await expect(makeFolder('/proc/none/below')).rejects.toThrow(/ENOENT.*none/);
  });
});

describe('a file that is given its name', () => {
  it('replaces the one of that name', async () => {
    writeFileSync(join(folder, 'name'), 'old');
    const temporary = temporaryBeside(join(folder, 'name'));
    writeFileSync(temporary, 'new');
    await moveInPlace(temporary, join(folder, 'name'));
    expect(readFileSync(join(folder, 'name'), 'utf8')).toBe('new');
    expect(readdirSync(folder)).toEqual(['name']);
  });

  it('has a temporary name beside it that nobody else has', () => {
    const names = Array.from({ length: 100 }, () => temporaryBeside(join(folder, 'name')));
    expect(new Set(names).size).toBe(100);
    expect(names.every((name) => name.startsWith(join(folder, 'name.')) && name.endsWith('.tmp'))).toBe(true);
  });
});

describe('a folder that takes the place of another', () => {
  const folderOf = (name: string, content: string): string => {
    const path = join(folder, name);
    mkdirSync(path);
    writeFileSync(join(path, 'file'), content);
    return path;
  };

  it('leaves nothing of the other, or of itself under its first name', async () => {
    const path = folderOf('name', 'old');
    await replaceFolder(folderOf('finished', 'new'), path);
    expect(readFileSync(join(path, 'file'), 'utf8')).toBe('new');
    await replaceFolder(folderOf('finished', 'first'), join(folder, 'another'));
    expect(readdirSync(folder)).toEqual(['another', 'name']);
  });

  it('leaves the other where it was when it cannot have its name', async () => {
    const path = folderOf('name', 'old');
    await expect(replaceFolder(join(folder, 'nowhere'), path)).rejects.toMatchObject({ code: 'ENOENT' });
    expect(readFileSync(join(path, 'file'), 'utf8')).toBe('old');
    expect(readdirSync(folder)).toEqual(['name']);
  });

  it('tells why the other could not be moved, which is not that there was none', async () => {
    const path = join(folder, 'n'.repeat(250));
    mkdirSync(path);
    await expect(replaceFolder(folderOf('finished', 'new'), path)).rejects.toMatchObject({ code: 'ENAMETOOLONG' });
    expect(readdirSync(path)).toEqual([]);
  });
});

describe('a text that may be there', () => {
  it('is undefined where there is no file, and where its folder is none', async () => {
    expect(await readTextIfThere(join(folder, 'none'))).toBeUndefined();
    writeFileSync(join(folder, 'file'), 'text');
    expect(await readTextIfThere(join(folder, 'file', 'below'))).toBeUndefined();
    expect(await readTextIfThere(join(folder, 'file'))).toBe('text');
  });

  it('is an error where it cannot be read', async () => {
    await expect(readTextIfThere(folder)).rejects.toThrow('EISDIR');
  });
});

describe('hashes', () => {
  it('are sha256 of the bytes, of a text and of a file alike', async () => {
    expect(hashText('')).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
    expect(hashText('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
    expect(textHash('abc')).toBe('ba7816bf8f01cfea414140de5dae2223');
    const bytes = Buffer.alloc(3_000_001, 'Zażółć');
    writeFileSync(join(folder, 'large'), bytes);
    expect(await hashFile(join(folder, 'large'))).toBe(createHash('sha256').update(bytes).digest('hex'));
    writeFileSync(join(folder, 'empty'), '');
    expect(await hashFile(join(folder, 'empty'))).toBe(hashText(''));
  });
});

describe('canonical JSON', () => {
  it('has sorted keys at every depth and leaves arrays in their order', () => {
    expect(canonicalJson({ b: [{ z: 1, a: null }, 'x'], a: { d: true, c: 2 } })).toBe(
      '{"a":{"c":2,"d":true},"b":[{"a":null,"z":1},"x"]}',
    );
  });

  it('is the same text for equal data, whatever the order of its keys, and holds all of it', () => {
    const shuffled = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(shuffled);
      if (typeof value !== 'object' || value === null) return value;
      return Object.fromEntries(
        Object.entries(value)
          .reverse()
          .map(([key, inner]) => [key, shuffled(inner)]),
      );
    };
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 3 }), (value) => {
        const plain: unknown = JSON.parse(JSON.stringify(value));
        expect(canonicalJson(shuffled(plain))).toBe(canonicalJson(plain));
        expect(JSON.parse(canonicalJson(plain))).toEqual(plain);
      }),
      { numRuns: 40 },
    );
  });

  it('tells data apart that differ in an order that matters', () => {
    expect(canonicalJson([1, 2])).not.toBe(canonicalJson([2, 1]));
    expect(canonicalJson({ a: 'b' })).not.toBe(canonicalJson({ b: 'a' }));
  });
});

describe('a partition', () => {
  it('is a folder a part', () => {
    expect(joinPartition('work', 'bank_of_japan/2005', 'unit.json')).toBe(
      join('work', 'bank_of_japan', '2005', 'unit.json'),
    );
    expect(joinPartition('work', 'AAPL')).toBe(join('work', 'AAPL'));
  });
});
