// Counts after which pauses caches were still there, and writes what the program uses of it (src/core/tokens/measured/cachePauses.json)
// and docs/cache-lifetimes.md: `npm run cache-lifetimes -w research -- FILE|FOLDER…`.
import '../../scripts/lib/currentNode.mjs';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format } from 'oxfmt';
import { filesBelow } from './lib/filesBelow.mjs';
import { root } from '../../scripts/lib/packages.mjs';
import { loadBundle } from '../../scripts/lib/runBundle.mjs';
import { writeTable } from './lib/writeTable.mjs';

const files = process.argv.slice(2).flatMap(filesBelow);
if (files.length === 0) {
  console.error('Give files or folders: npm run cache-lifetimes -w research -- FILE|FOLDER…');
  process.exit(2);
}
const { fitLifetimes } = await loadBundle('research/samples/cacheLifetimes.ts');
const { rows, document } = await fitLifetimes(files, new Date().toISOString().slice(0, 7));
writeTable('cachePauses', rows);
const path = join(root, 'docs', 'cache-lifetimes.md');
const { code } = await format(path, document);
writeFileSync(path, code);
console.log(path);
