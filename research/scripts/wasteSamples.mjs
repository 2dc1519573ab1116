// Prints findings of waste with their texts, to be judged by hand: `npm run waste-samples -w research -- [--kind KIND] FILE|FOLDER…`.
import '../../scripts/lib/currentNode.mjs';
import { filesBelow } from './lib/filesBelow.mjs';
import { loadBundle } from '../../scripts/lib/runBundle.mjs';

const words = process.argv.slice(2);
const kind = words[0] === '--kind' ? words.splice(0, 2)[1] : undefined;
const files = words.flatMap(filesBelow);
if (files.length === 0) {
  console.error('Give files or folders: npm run waste-samples -w research -- [--kind KIND] FILE|FOLDER…');
  process.exit(2);
}
const { wasteSamples } = await loadBundle('research/samples/wasteSamples.ts');
for await (const text of wasteSamples(files, kind)) {
  console.log(text);
}
