/** Raw files kept by their content: `raw/<first two digits>/<sha256>`. A file in it is whole, durable, and never changes. */
import { constants } from 'node:fs';
import { copyFile, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type HashFile, hashFile, makeFolder, moveInPlace, syncPath } from '../../../src/files.js';
import type { Outputs } from '../../../src/outputs.js';

/** The kept file with this content, or undefined where there is none, or only a damaged one. Reads all of it, unless `hash` does not. */
export const findKept = async (
  outputs: Outputs,
  sha256: string,
  hash: HashFile = hashFile,
): Promise<string | undefined> => {
  const file = outputs.rawFile(sha256);
  if (!(await isThere(file))) return undefined;
  return (await hash(file)) === sha256 ? file : undefined;
};

/** Takes a finished file, whose content has this hash, into the store. The file is moved. */
export const takeIn = async (outputs: Outputs, temporary: string, sha256: string): Promise<string> => {
  const file = outputs.rawFile(sha256);
  const made = await makeFolder(dirname(file));
  if (made !== undefined) await syncPath(dirname(made));
  await moveInPlace(temporary, file);
  return file;
};

/**
 * Keeps a copy of a file. Not a link: what a link names changes when somebody writes into the file. Where the disk can
 * share the blocks of copies (btrfs, xfs) the copy costs no space.
 *
 * @param scratch a folder of this run alone, on the same disk
 * @returns false where the file is not there any more, or has another content by now
 */
export const keepCopy = async (outputs: Outputs, file: string, sha256: string, scratch: string): Promise<boolean> => {
  if ((await findKept(outputs, sha256)) !== undefined) return true;
  const temporary = join(scratch, `keep-${sha256}`);
  try {
    await copyFile(file, temporary, constants.COPYFILE_FICLONE);
    if ((await hashFile(temporary)) !== sha256) return false;
    await takeIn(outputs, temporary, sha256);
    return true;
  } catch (error) {
    if (!(await isThere(file))) return false;
    throw error;
  } finally {
    await rm(temporary, { force: true });
  }
};

const isThere = async (file: string): Promise<boolean> => (await stat(file).catch(() => undefined))?.isFile() === true;
