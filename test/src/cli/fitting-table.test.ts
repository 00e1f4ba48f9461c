import { describe, expect, it } from 'vitest';
import { fittingTable } from '../../../src/cli/fitting-table.js';

const table = {
  head: ['model', 'labels', 'fingerprint'],
  rows: [['cb_oil_relevancy', 'Relevant, Irrelevant', 'f'.repeat(16)]],
  dispensable: ['labels', 'fingerprint'],
};
const linesOf = (columns: number | undefined): readonly string[] => fittingTable({ ...table, columns }).split('\n');

describe('a table on a terminal', () => {
  it('has every column where there is room, or no terminal', () => {
    expect(linesOf(undefined)).toEqual(linesOf(200));
    expect(linesOf(200)[1]).toMatch(/model.*labels.*fingerprint/);
    expect(linesOf(200).join('\n')).not.toContain('Not shown');
  });

  it('leaves out one column after the other until it fits, and says which', () => {
    for (const [columns, gone] of [
      [50, 'labels'],
      [30, 'labels, fingerprint'],
      [5, 'labels, fingerprint'],
    ] as const) {
      const lines = linesOf(columns);
      expect(lines.at(-2)).toBe(`Not shown, for the terminal is narrow: ${gone}; --json has all.`);
      const [head = ''] = lines;
      if (columns > 5) expect(head.length).toBeLessThanOrEqual(columns);
      for (const name of gone.split(', ')) expect(lines[1]).not.toContain(name);
    }
  });
});
