// Lists requests whose recorded input is smaller than their texts can be: `npm run doubted -w research -- FILE|FOLDER…`.
import '../../scripts/lib/currentNode.mjs';
import { filesBelow } from './lib/filesBelow.mjs';
import { loadBundle } from '../../scripts/lib/runBundle.mjs';

const files = process.argv.slice(2).flatMap(filesBelow);
if (files.length === 0) {
  console.error('Give files or folders: npm run doubted -w research -- FILE|FOLDER…');
  process.exit(2);
}
const { listDoubted } = await loadBundle('research/samples/doubted.ts');
for await (const text of listDoubted(files)) {
  console.log(text);
}
