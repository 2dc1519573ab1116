// Checks a file of golden cases, which may be gzipped: `npm run golden -- FILE`. The exit code is 0 only if cases match and none differs.
import './lib/currentNode.mjs';
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { loadBundle } from './lib/runBundle.mjs';

const file = process.argv[2];
if (file === undefined) {
  fail('Give the file of golden cases: npm run golden -- FILE');
}
const { checkGolden } = await loadBundle('test/golden/checkGolden.ts');
const { passed, failed, partial, differences } = checkGolden(read(file));
if (passed + failed + partial === 0) {
  fail(`${file} holds no golden cases.`);
}
for (const difference of differences) {
  console.log(difference);
}
console.log(`${passed} passed, ${failed} failed`);
if (partial > 0) {
  console.log(
    `${partial} not counted: all but the fingerprint agrees, and that is bound to an agent or to white space that the case does not tell`,
  );
}
process.exitCode = failed === 0 && passed > 0 ? 0 : 1;

function read(path) {
  try {
    const bytes = readFileSync(path);
    return (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
  } catch (error) {
    return fail(`${path} cannot be read: ${error.message}`);
  }
}

function fail(sentence) {
  console.error(sentence);
  process.exit(2);
}
