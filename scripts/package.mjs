// Packs the extension into context-inspector.vsix. The publisher fills in `publisher`, `repository`, `bugs` and
// `homepage` of package.json. With a repository on GitHub or GitLab, the pictures of the README are links to it.
// Without one, they are embedded in its text. Web pages show embedded pictures, but VS Code's own page of an extension
// does not: since 1.139 it loads pictures only from https addresses.
import './lib/currentNode.mjs';
import { createVSIX } from '@vscode/vsce';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './lib/packages.mjs';
import { writeStoreReadme } from './lib/storeReadme.mjs';

const { repository } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const address = typeof repository === 'string' ? repository : (repository?.url ?? '');
const isLinked = /(?:github|gitlab)(?:\.com[/:]|:)/.test(address);
const readmePath = 'dist/README.md';
if (!isLinked) {
  console.log(
    'package.json names no repository on GitHub or GitLab: the pictures of the README go into its text.',
  );
  mkdirSync(join(root, 'dist'), { recursive: true });
  writeStoreReadme(root, join(root, readmePath));
}
await createVSIX({
  cwd: root,
  packagePath: join(root, 'context-inspector.vsix'),
  dependencies: false,
  ...(isLinked ? {} : { readmePath, rewriteRelativeLinks: false, allowMissingRepository: true }),
});
