// Compares breakdowns with the recorded requests that they are of: `npm run breakdown-raw -- FILE|FOLDER…`.
import './lib/currentNode.mjs';
import { filesBelow } from './lib/filesBelow.mjs';
import { loadBundle } from './lib/runBundle.mjs';

const files = process.argv.slice(2).flatMap(filesBelow);
if (files.length === 0) {
  console.error('Give files or folders: npm run breakdown-raw -- FILE|FOLDER…');
  process.exit(2);
}
const { rawLines } = await loadBundle('test/samples/breakdownRaw.ts');
for await (const line of rawLines(files)) {
  console.log(line);
}
