// Writes docs/cache-causes.md: how often causes that are inferred agree with those that providers record, and boundaries with
// their predictions, over files: `npm run cache-causes -w research -- FILE|FOLDER…`. `--list` prints every deviation instead.
import '../../scripts/lib/currentNode.mjs';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { filesBelow } from './lib/filesBelow.mjs';
import { root } from '../../scripts/lib/packages.mjs';
import { loadBundle } from '../../scripts/lib/runBundle.mjs';

const given = process.argv.slice(2);
const { causesDocument, listDeviations } = await loadBundle('research/samples/cacheCauses.ts');
const files = given.filter(word => word !== '--list').flatMap(filesBelow);
if (given.includes('--list')) {
  for (const line of await listDeviations(files)) {
    console.log(line);
  }
} else {
  const path = join(root, 'docs', 'cache-causes.md');
  writeFileSync(path, await causesDocument(files, path));
  console.log(path);
}
