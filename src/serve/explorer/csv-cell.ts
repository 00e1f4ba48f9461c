/** One cell of CSV as the service writes it, in its answers and in what the explorer saves. */

// Tab and carriage return among them: spreadsheets skip them and then see the formula.
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const RUNNABLE = /^[=+\-@\u0000-\u001f\u007f]/;

/** RFC 4180; null is empty. A text that a spreadsheet would run gets a leading `'`, a number never. */
export const csvCell = (value: string | number | null): string => {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const safe = RUNNABLE.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};
