/**
 * Tests of what needs programs that are not npm's: Ceph, Slurm, PostgreSQL. Where Debian's packages can be had they are
 * installed and the tests run; an installed one that does not start fails them. Only where the packages cannot be had, as
 * for somebody who is not root, they are left out, and the run says which and why.
 */
import { describe, it } from 'vitest';

/** @param why what `startCeph`, `startSlurm` or `startPostgres` gave in place of what it starts */
export const leaveOut = (what: string, why: string): void => {
  describe(what, () => {
    it('needs what cannot be had here', ({ skip }) => skip(why));
  });
};
