// Prints what breakdowns leave over, which is 0 everywhere: `npm run breakdown-sums -- FILE|FOLDER…`. Tokens.
import './lib/currentNode.mjs';
import { filesBelow } from './lib/filesBelow.mjs';
import { loadBundle } from './lib/runBundle.mjs';

const files = process.argv.slice(2).flatMap(filesBelow);
if (files.length === 0) {
  console.error('Give files or folders: npm run breakdown-sums -- FILE|FOLDER…');
  process.exit(2);
}
const { breakdownLines } = await loadBundle('test/samples/breakdownSums.ts');
for await (const line of breakdownLines(files)) {
  console.log(line);
}
