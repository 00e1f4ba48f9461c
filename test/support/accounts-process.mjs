/**
 * Another process that uses accounts: `node accounts-process.mjs MODULE ADDRESS KEY ACTION [N]`, on the compiled code.
 *
 * - `take N`: N requests at once; prints how many were granted.
 * - `keep N`: N requests at a time, for ever; one byte to stdout for each grant, after it was acknowledged.
 * - `watch`: prints `known` when the key is found, and `gone` when it no longer is.
 */
import { writeSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';

const [, , module, address, key, action, count = '1'] = process.argv;
const { openAccounts } = await import(module);
const accounts = await openAccounts(address);
const account = await accounts.findByKey(key, new Date());
const take = () => accounts.take(account, new Date());
const each = (work) => Promise.all(Array.from({ length: Number(count) }, work));

if (action === 'take') {
  const answers = await each(take);
  writeSync(1, String(answers.filter(({ granted }) => granted).length));
} else if (action === 'keep') {
  await each(async () => {
    for (;;) if ((await take()).granted) writeSync(1, '.');
  });
} else if (action === 'watch') {
  writeSync(1, 'known');
  while ((await accounts.findByKey(key, new Date())) !== undefined) await setTimeout(10);
  writeSync(1, 'gone');
}
await accounts.close();
