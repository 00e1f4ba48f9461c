/** EVERY TIER, as data: what a plan allows. */

interface Plan {
  /** Requests a calendar month, UTC; null: set by account. */
  readonly monthlyLimit: number | null;
  /** Texts a call of inference, and where accounts may differ whether they may. */
  readonly batchSize: number;
  readonly limits: 'of the plan' | 'by account';
  /**
   * A protection against runaway clients, far above honest use: at most `atOnce` requests, coming back at `perSecond`.
   * Full again within 7 seconds (atOnce / perSecond), which is how long the documented clients wait in all (1, 2, 4).
   */
  readonly burst: { readonly atOnce: number; readonly perSecond: number };
}

export const TIERS = {
  free: { monthlyLimit: 1_000, batchSize: 128, limits: 'of the plan', burst: { atOnce: 1_000, perSecond: 200 } },
  pro: { monthlyLimit: 100_000, batchSize: 128, limits: 'of the plan', burst: { atOnce: 10_000, perSecond: 2_000 } },
  enterprise: {
    monthlyLimit: null,
    batchSize: 128,
    limits: 'by account',
    burst: { atOnce: 25_000, perSecond: 5_000 },
  },
} as const satisfies Record<string, Plan>;

export type Tier = keyof typeof TIERS;

/** The tiers, lowest first: each may do what those before it may. */
export const TIER_NAMES = ['free', 'pro', 'enterprise'] as const satisfies readonly Tier[];

/** Whether a tier is high enough for something that needs another. */
export const isTierEnough = (tier: Tier, needed: Tier): boolean =>
  TIER_NAMES.indexOf(tier) >= TIER_NAMES.indexOf(needed);

/** The tier of that name, or undefined. */
export const findTier = (name: string): Tier | undefined => TIER_NAMES.find((tier) => tier === name);
