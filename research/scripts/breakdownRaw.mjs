// Compares breakdowns with the recorded requests that they are of: `npm run breakdown-raw -w research -- FILE|FOLDER…`.
import '../../scripts/lib/currentNode.mjs';
import { filesBelow } from './lib/filesBelow.mjs';
import { loadBundle } from '../../scripts/lib/runBundle.mjs';

const files = process.argv.slice(2).flatMap(filesBelow);
if (files.length === 0) {
  console.error('Give files or folders: npm run breakdown-raw -w research -- FILE|FOLDER…');
  process.exit(2);
}
const { rawLines } = await loadBundle('research/samples/breakdownRaw.ts');
for await (const line of rawLines(files)) {
  console.log(line);
}
