// Counts after which pauses caches were still there, and writes what the program uses of it (src/core/tokens/models/measuredPauses.ts)
// and docs/cache-lifetimes.md: `npm run cache-lifetimes -w research -- FILE|FOLDER…`.
import '../../scripts/lib/currentNode.mjs';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { filesBelow } from './lib/filesBelow.mjs';
import { root } from '../../scripts/lib/packages.mjs';
import { loadBundle } from '../../scripts/lib/runBundle.mjs';

const files = process.argv.slice(2).flatMap(filesBelow);
if (files.length === 0) {
  console.error('Give files or folders: npm run cache-lifetimes -w research -- FILE|FOLDER…');
  process.exit(2);
}
const { fitLifetimes } = await loadBundle('research/samples/cacheLifetimes.ts');
const { source, document } = await fitLifetimes(files, new Date().toISOString().slice(0, 7));
for (const [path, text] of [
  [join(root, 'src', 'core', 'tokens', 'models', 'measuredPauses.ts'), source],
  [join(root, 'docs', 'cache-lifetimes.md'), document],
]) {
  const options = await resolveConfig(path);
  writeFileSync(path, await format(text, { ...options, filepath: path }));
  console.log(path);
}
