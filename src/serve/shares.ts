/** Something that there is a bounded amount of, bytes or texts, held by requests of accounts until they are done. */
export interface Shares {
  /** For one request. It holds nothing at first, and has to hold 0 in the end. */
  readonly open: (account: string) => Hold;
  /** What is held: by everybody, or by one account. */
  readonly held: (account?: string) => number;
}

/**
 * Holds so much from now on, instead of what was held before.
 *
 * @returns false where there is not that much, and nothing changed; less than before there always is
 */
export type Hold = (amount: number) => boolean;

/**
 * One account gets a share, so that others are left some. What is larger than that is held by who holds nothing else:
 * refused, it would be refused for ever.
 */
export const createShares = (most: { readonly all: number; readonly account: number }): Shares => {
  const held = new Map<string, number>();
  let all = 0;
  return {
    open: (account) => {
      let mine = 0;
      return (amount) => {
        const [others, own] = [all - mine, (held.get(account) ?? 0) - mine];
        const fits = (own === 0 || own + amount <= most.account) && (others === 0 || others + amount <= most.all);
        if (amount > mine && !fits) return false;
        mine = amount;
        all = others + amount;
        if (own + amount > 0) held.set(account, own + amount);
        else held.delete(account);
        return true;
      };
    },
    held: (account) => (account === undefined ? all : (held.get(account) ?? 0)),
  };
};
