/** The units of a text, and the text itself where it is not the units joined by a space. */
export interface Case {
  readonly units: readonly string[];
  readonly text?: string;
}

/** The units with a space between. */
export const joined = (...units: string[]): Case => ({ units });
/** The text, and its units. */
export const cut = (text: string, ...units: string[]): Case => ({ text, units });
