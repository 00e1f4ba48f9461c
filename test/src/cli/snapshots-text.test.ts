import { describe, expect, it } from 'vitest';
import { listText } from '../../../src/cli/snapshots-text.js';
import { tryManifest } from '../../../src/snapshot/manifest.js';
import { smallManifest } from '../../support/manifest.js';

describe('the list of snapshots', () => {
  it('is one line a snapshot where there is nothing but a damaged one', () => {
    const manifest = tryManifest('{"format":1}');
    const text = listText([{ id: '1'.repeat(16), current: true, manifest }]);
    expect(text.split('\n').filter((line) => line.includes('1'.repeat(16)))).toEqual([
      expect.stringContaining('manifest.json is damaged (dataset)'),
    ]);
    expect(
      new Set(
        text
          .trimEnd()
          .split('\n')
          .map(({ length }) => length),
      ).size,
    ).toBe(1);
  });

  it('keeps its shape where a manifest is damaged: a line a snapshot, all of one width', () => {
    const whole = smallManifest('1'.repeat(16), '2026-01-01T00:00:00.000Z', {});
    const torn = JSON.stringify(whole).slice(0, -10);
    const wrong = JSON.stringify({ ...whole, counts: { ...whole.counts, documents: 'many' } });
    const text = listText([
      { id: '1'.repeat(16), current: true, manifest: whole },
      { id: '2'.repeat(16), current: false, manifest: tryManifest(torn) },
      { id: '3'.repeat(16), current: false, manifest: tryManifest(wrong) },
    ]);
    const lines = text.trimEnd().split('\n');
    expect(new Set(lines.map(({ length }) => length)).size).toBe(1);
    expect(lines.find((line) => line.includes('2'.repeat(16)))).toContain('manifest.json is damaged (not JSON)');
    expect(lines.find((line) => line.includes('3'.repeat(16)))).toContain(
      'manifest.json is damaged (counts.documents)',
    );
  });
});
