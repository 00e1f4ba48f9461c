/** Which command mends what is served, where it is damaged or nothing is pointed to. */
import { findEarlier, findLastMove, findTakenBack, type Served } from './history.js';

export interface Damage {
  /** What was served when, oldest first. */
  readonly history: readonly Served[];
  /** The snapshot that is pointed to and damaged; undefined where the pointer is missing or names none. */
  readonly current: string | undefined;
  /** Of the kept snapshots, those that are whole as far as is known, newest first. */
  readonly whole: readonly string[];
  /** The commands of the place where they lie. */
  readonly rebuild: string;
  readonly rollback: string;
}

/**
 * What to do, in words, without a full stop. Publishing makes again what was published, and never what was rolled back to: the
 * night after a rollback would make what somebody rolled back from.
 */
export const howToMend = (damage: Damage): string => {
  const { history, current, whole, rebuild, rollback } = damage;
  const last = history.at(-1);
  if (current === undefined && last !== undefined && whole.includes(last.snapshot)) {
    return `${rollback} --to ${last.snapshot} points again to what was served last`;
  }
  const other = findOther(damage);
  const wasTaken = other !== undefined && findTakenBack(history).includes(other);
  const goBack = `${rollback} --to ${other} points to a whole one${wasTaken ? ', the one that was rolled back from' : ''}`;
  if (findLastMove(history)?.by === 'rollback') {
    return other === undefined
      ? `no kept snapshot is whole: ${rebuild} makes the newest one again, then ${rollback} --to <snapshot> points to it`
      : `${goBack}; no rebuild makes again what was rolled back to`;
  }
  const again =
    current === undefined
      ? `${rebuild} publishes again`
      : `${rebuild} publishes ${current} again, or what has changed since`;
  return other === undefined ? again : `${again}; ${goBack}`;
};

/** Where to go back to: what was served before, then what else is kept, and last what somebody rolled back from. */
const findOther = ({ history, current, whole }: Damage): string | undefined => {
  const taken = findTakenBack(history);
  const others = [...findEarlier(history), ...whole].filter((id) => id !== current && whole.includes(id));
  return others.find((id) => !taken.includes(id)) ?? others[0];
};
