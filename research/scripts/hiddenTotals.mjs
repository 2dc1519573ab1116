// Hides the usage of one request at a time, and compares the estimate with the recorded total: `npm run hidden-totals -w research -- FOLDER… [--test FOLDER]… [--write]`. One half of the sessions is fitted; the other half and the folders after --test are not. With --write the program's table and docs/stated-errors.md are written.
import '../../scripts/lib/currentNode.mjs';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { root } from '../../scripts/lib/packages.mjs';
import { loadBundle } from '../../scripts/lib/runBundle.mjs';
import { filesBelow } from './lib/filesBelow.mjs';
import { writeTable } from './lib/writeTable.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { test: { type: 'string', multiple: true, default: [] }, write: { type: 'boolean' } },
});
if (positionals.length === 0) {
  console.error(
    'Give folders with sessions: npm run hidden-totals -w research -- FOLDER… [--test FOLDER]… [--write]',
  );
  process.exit(2);
}
await main(await loadBundle('research/samples/hiddenTotals.ts'));

async function main({ countSession, withoutCopies, hiddenTotals, calibrate, errorsDocument }) {
  const hiddenOf = async folder => {
    const sessions = [];
    for (const file of filesBelow(folder).filter(name => !name.includes('raw-requests'))) {
      try {
        const counted = await countSession(file);
        sessions.push(...(counted === undefined ? [] : [counted]));
      } catch (error) {
        console.error(`${file}: ${error.message}`);
      }
    }
    return withoutCopies(sessions).flatMap(hiddenTotals);
  };
  const all = [];
  for (const folder of positionals) {
    all.push(...(await hiddenOf(folder)));
  }
  const isFitted = ({ session }) => createHash('md5').update(session).digest()[0] % 2 === 0;
  const fitted = { name: 'Fitted half', hidden: all.filter(isFitted) };
  const others = [{ name: 'Other half', hidden: all.filter(each => !isFitted(each)) }];
  for (const folder of values.test) {
    others.push({ name: `Other files: ${basename(folder)}`, hidden: await hiddenOf(folder) });
  }
  const errors = calibrate(fitted.hidden);
  const path = join(root, 'docs', 'stated-errors.md');
  const text = errorsDocument(errors, fitted, others, existsSync(path) ? readFileSync(path, 'utf8') : '');
  if (values.write) {
    writeTable('totalErrors', errors);
    writeFileSync(path, text);
  }
  console.log(text);
}
