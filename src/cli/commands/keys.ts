import type { CommandModule } from 'yargs';
import type { Accounts, IssuedKey, KeyRecord, NewAccount } from '../../accounts/accounts.js';
import { findAccounts, openAccounts } from '../../accounts/open.js';
import { findTier, TIER_NAMES } from '../../accounts/tiers.js';
import { UsageError } from '../../errors.js';
import type { Context } from '../context.js';
import { fittingTable } from '../fitting-table.js';
import { settingsOf, withSettings } from '../options.js';

const ACTIONS = ['create', 'list', 'revoke', 'rotate'] as const;

type Flags = Readonly<Record<string, unknown>>;

/** `fintext keys`: who may use the API. */
export const keys = (context: Context): CommandModule => ({
  command: 'keys <action> [id]',
  describe: 'API keys: create, list, revoke, rotate',
  builder: (yargs) =>
    withSettings('accounts')(yargs)
      .positional('action', {
        choices: ACTIONS,
        demandOption: true,
        describe: 'make an account and its key; list all; end one; give its account another',
      })
      .positional('id', { type: 'string', describe: 'revoke, rotate: the key, by its id in the list' })
      .option('email', { type: 'string', requiresArg: true, describe: 'create: whose key it is' })
      .option('org', { type: 'string', requiresArg: true, describe: 'create: their organization' })
      .option('tier', { type: 'string', requiresArg: true, choices: TIER_NAMES, describe: 'create: the plan [free]' })
      .option('monthly-limit', { type: 'string', requiresArg: true, describe: 'create, enterprise: requests a month' })
      .option('batch-size', { type: 'string', requiresArg: true, describe: 'create, enterprise: texts a call [128]' })
      .option('expires', {
        type: 'string',
        requiresArg: true,
        describe: 'create: the last day on which it works, YYYY-MM-DD, UTC [never]',
      })
      .option('overlap', {
        type: 'string',
        requiresArg: true,
        describe: 'rotate: how long the old key goes on, such as 90m, 24h, 7d or 0 [24h]',
      })
      .option('json', { type: 'boolean', describe: 'one line of JSON a key' })
      .example('$0 keys create --email name@example.org', 'the key on stdout, once; the rest on stderr'),
  handler: async (flags) => {
    const { opens, work, whereNone } = plan(context, flags);
    const { accounts: address } = settingsOf(flags);
    const accounts = await (opens === 'what is there' ? findAccounts(address) : openAccounts(address));
    if (accounts === undefined) return whereNone(address);
    try {
      await work(accounts);
    } finally {
      await accounts.close();
    }
  },
});

interface Plan {
  /** Only a first key makes the file of the accounts. */
  readonly opens: 'what is there' | 'or makes';
  readonly work: (accounts: Accounts) => Promise<void>;
  /** Instead of `work`, where nothing is there. */
  readonly whereNone: (address: string) => Promise<void>;
}

/** What was asked for, read in full before anything is opened: wrong use leaves no file behind. */
const plan = (context: Context, flags: Flags): Plan => {
  const json = flags.json === true;
  const action = ACTIONS.find((name) => name === flags.action);
  switch (action) {
    case 'create': {
      const wanted = parseNewAccount(flags);
      return {
        opens: 'or makes',
        work: async (accounts) => show(context, await accounts.create(wanted, context.now()), json),
        whereNone: async () => undefined,
      };
    }
    case 'list':
      return {
        opens: 'what is there',
        work: (accounts) => list(context, accounts, json),
        whereNone: async (address) => (json ? tell(noKeysAt(address)) : context.print(`${noKeysAt(address)}\n`)),
      };
    case 'revoke': {
      const id = idOf(flags);
      return {
        opens: 'what is there',
        work: async (accounts) => {
          const record = await accounts.revoke(id, context.now());
          if (json) await context.print(`${JSON.stringify(record)}\n`);
          tell(`${id} of ${record.email} ended at ${record.revokedAt}; it is refused everywhere within a second.`);
        },
        whereNone: (address) => refuseUnknown(id, address),
      };
    }
    case 'rotate': {
      const id = idOf(flags);
      const overlapSeconds = parseSpan(findText(flags, 'overlap') ?? '24h');
      return {
        opens: 'what is there',
        work: async (accounts) => {
          const { replaced, ...issued } = await accounts.rotate(id, { overlapSeconds }, context.now());
          await show(context, issued, json);
          tell(`${id} works until ${replaced.expiresAt}. Both count on the same quota.`);
        },
        whereNone: (address) => refuseUnknown(id, address),
      };
    }
    case undefined:
      throw new UsageError(`keys ${String(flags.action)}: the actions are ${ACTIONS.join(', ')}.`);
    default:
      return action satisfies never;
  }
};

const NO_KEYS = 'There are no keys yet';
const NEXT = 'Next: fintext keys create --email NAME@HOST';

/** Names the place: most often it is another one than was meant. */
const noKeysAt = (address: string): string => `${NO_KEYS}: there is no file ${address}. ${NEXT}`;

const refuseUnknown = async (id: string, address: string): Promise<never> => {
  throw new UsageError(
    `There is no key ${id}: there is no file ${address}, so there are no keys. Name the file with --accounts.`,
  );
};

const parseNewAccount = (flags: Flags): NewAccount => {
  const email = findText(flags, 'email');
  if (email === undefined) throw new UsageError('keys create needs --email.');
  if (flags.id !== undefined) throw new UsageError('keys create makes its own id; leave it out.');
  return {
    email,
    org: findText(flags, 'org'),
    tier: findTier(findText(flags, 'tier') ?? 'free') ?? 'free',
    monthlyLimit: parseWhole(flags, 'monthly-limit'),
    batchSize: parseWhole(flags, 'batch-size'),
    expiresAt: parseLastDay(findText(flags, 'expires')),
  };
};

/** The key alone on stdout, so that `KEY=$(fintext keys create …)` holds it and nothing else. */
const show = async (context: Context, { key, record }: IssuedKey, json: boolean): Promise<void> => {
  await context.print(json ? `${JSON.stringify({ key, ...record })}\n` : `${key}\n`);
  const { keyId, email, tier, monthlyLimit, expiresAt } = record;
  const end = expiresAt === null ? '' : `, until ${expiresAt}`;
  tell(`${keyId} for ${email}: ${tier}, ${monthlyLimit.toLocaleString('en')} requests a month${end}.`);
  tell('This is the only time the key is shown: keep it as a secret. Callers send it as the header x-api-key.');
};

const list = async (context: Context, accounts: Accounts, json: boolean): Promise<void> => {
  const records = await accounts.list(context.now());
  if (json) {
    for (const record of records) await context.print(`${JSON.stringify(record)}\n`);
    return;
  }
  if (records.length === 0) return context.print(`${NO_KEYS}. ${NEXT}\n`);
  const rows = records.map((record) => {
    const { keyId, prefix, email, org, tier, used, monthlyLimit, createdAt } = record;
    const share = `${used.toLocaleString('en')} of ${monthlyLimit.toLocaleString('en')}`;
    return [keyId, `${prefix}…`, email, org, tier, share, createdAt.slice(0, 10), describeState(record)];
  });
  const head = ['id', 'begins', 'email', 'organization', 'tier', 'used this month', 'created', 'state'];
  const dispensable = ['organization', 'created', 'begins'];
  return context.print(fittingTable({ head, rows, dispensable, columns: context.columns }));
};

const describeState = ({ state, expiresAt, revokedAt, replacedBy }: KeyRecord): string => {
  const when = {
    active: expiresAt === null ? '' : ` until ${expiresAt}`,
    expired: ` ${expiresAt}`,
    revoked: ` ${revokedAt}`,
  };
  return `${state}${when[state]}${replacedBy === null ? '' : `, replaced by ${replacedBy}`}`;
};

const tell = (text: string): void => {
  process.stderr.write(`${text}\n`);
};

const findText = (flags: Flags, name: string): string | undefined => {
  const value = flags[name];
  if (Array.isArray(value)) throw new UsageError(`--${name} is given ${value.length} times; give it once.`);
  return value === undefined ? undefined : String(value);
};

const idOf = (flags: Flags): string => {
  const id = findText(flags, 'id');
  if (id === undefined)
    throw new UsageError(`keys ${String(flags.action)} needs the id of a key; fintext keys list shows them.`);
  // A secret on a command line stays in the history of the shell; at least it is not repeated here.
  if (!/^key_[0-9A-Za-z]+$/.test(id))
    throw new UsageError('The id of a key begins with key_; fintext keys list shows them.');
  return id;
};

const parseWhole = (flags: Flags, name: string): number | undefined => {
  const text = findText(flags, name);
  if (text === undefined) return undefined;
  if (!/^\d{1,15}$/.test(text)) throw new UsageError(`--${name} is a whole number; not "${text}".`);
  return Number(text);
};

/** The first instant after a day, or undefined where none is named. */
const parseLastDay = (text: string | undefined): Date | undefined => {
  if (text === undefined) return undefined;
  const day = new Date(`${text}T00:00:00Z`);
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text) || Number.isNaN(day.getTime()) || !day.toISOString().startsWith(text)) {
    throw new UsageError(`--expires is a day, YYYY-MM-DD; not "${text}".`);
  }
  return new Date(day.getTime() + 86_400_000);
};

const UNITS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 };
const LONGEST_OVERLAP_DAYS = 90;

/** A span such as `24h`, in seconds. */
const parseSpan = (text: string): number => {
  const [, amount = '', unit = ''] = /^(\d{1,7})([smhd])$/.exec(text === '0' ? '0s' : text) ?? [];
  const seconds = Number(amount) * (UNITS[unit] ?? Number.NaN);
  if (amount === '' || !(seconds <= LONGEST_OVERLAP_DAYS * 86_400)) {
    throw new UsageError(
      `--overlap is a span such as 90m, 24h or 7d, at most ${LONGEST_OVERLAP_DAYS}d; not "${text}".`,
    );
  }
  return seconds;
};
