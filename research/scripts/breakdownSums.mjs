// Prints what breakdowns leave over, which is 0 everywhere: `npm run breakdown-sums -w research -- FILE|FOLDER…`. Tokens.
import '../../scripts/lib/currentNode.mjs';
import { filesBelow } from './lib/filesBelow.mjs';
import { loadBundle } from '../../scripts/lib/runBundle.mjs';

const files = process.argv.slice(2).flatMap(filesBelow);
if (files.length === 0) {
  console.error('Give files or folders: npm run breakdown-sums -w research -- FILE|FOLDER…');
  process.exit(2);
}
const { breakdownLines } = await loadBundle('research/samples/breakdownSums.ts');
for await (const line of breakdownLines(files)) {
  console.log(line);
}
