/** Days of the calendar: `YYYY-MM-DD` in texts, whole days since 1970 in numbers. */
const DAY = 86_400_000;

/** Undefined where the text is no day of the calendar. */
export const toDay = (text: string): number | undefined => {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return undefined;
  const day = Date.parse(`${text}T00:00:00Z`) / DAY;
  // 30 February rolls over in some readers of dates and is NaN in others.
  return Number.isInteger(day) && fromDay(day) === text ? day : undefined;
};

export const fromDay = (day: number): string => new Date(day * DAY).toISOString().slice(0, 10);

/** The middle of a quarter: where a call without a day stands on the axis. */
export const middleOfQuarter = (year: number, quarter: number): number => {
  const date = new Date(0);
  date.setUTCFullYear(year, (quarter - 1) * 3 + 1, 15);
  return date.getTime() / DAY;
};

/** As people read it: 4 May 2022. */
export const dayText = (text: string): string => {
  const [year, month, day] = text.split('-').map(Number);
  return `${day} ${MONTHS[(month ?? 1) - 1]} ${year}`;
};

const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
] as const;
