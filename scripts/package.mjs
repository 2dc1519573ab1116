// Packs the extension into context-inspector.vsix. Stores show the README with its pictures: with a `repository` on GitHub or GitLab in
// package.json as links to it, otherwise inside the text.
import { createVSIX } from '@vscode/vsce';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './lib/packages.mjs';
import { readmeWithPictures } from './lib/storeReadme.mjs';

const { repository } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const address = typeof repository === 'string' ? repository : (repository?.url ?? '');
const isLinked = /(?:github|gitlab)(?:\.com[/:]|:)/.test(address);
const readmePath = 'dist/README.md';
if (!isLinked) {
  mkdirSync(join(root, 'dist'), { recursive: true });
  writeFileSync(join(root, readmePath), readmeWithPictures(root));
}
await createVSIX({
  cwd: root,
  packagePath: join(root, 'context-inspector.vsix'),
  dependencies: false,
  ...(isLinked ? {} : { readmePath, rewriteRelativeLinks: false, allowMissingRepository: true }),
});
