/** Numbers as the command line prints them. */

/** `1,783` */
export const whole = (n: number): string => n.toLocaleString('en');

/** `1 document`, `1,783 documents` */
export const count = (n: number, what: string): string => `${whole(n)} ${what}${n === 1 ? '' : 's'}`;
