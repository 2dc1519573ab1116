// Prints how often agents repeat a call after its result was cleared or compacted away, against how often they repeat one
// before: `npm run repeated-calls -w research -- FILE|FOLDER…`. `--list` prints every repetition too.
import '../../scripts/lib/currentNode.mjs';
import { filesBelow } from './lib/filesBelow.mjs';
import { loadBundle } from '../../scripts/lib/runBundle.mjs';

const given = process.argv.slice(2);
const { repeatedCalls } = await loadBundle('research/samples/repeatedCalls.ts');
const files = given.filter(word => word !== '--list').flatMap(filesBelow);
for (const line of await repeatedCalls(files, given.includes('--list'))) {
  console.log(line);
}
