// Checks all packages in package-lock.json against advisories: those of the npm registry if it answers, and those of
// Retire.js, which a package has as data, so they need no other service. Exits with 1 if a package has an advisory.
import './lib/currentNode.mjs';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { installTool, root } from './lib/packages.mjs';

/** The package with the data of Retire.js (Apache-2.0). Use its newest version. */
const source = '@salesforce/code-analyzer-retirejs-engine@0.32.0';

const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
const installed = Object.entries(packages).flatMap(([path, { version, dev, devOptional }]) => {
  const [, name] = /(?:^|\/)node_modules\/((?:@[^/]+\/)?[^/]+)$/.exec(path) ?? [];
  return name === undefined || version === undefined
    ? []
    : [{ name, version, dev: dev ?? devOptional ?? false }];
});

/** Orders versions by their numbers; a version with a hyphen comes before the same one without. */
function compare(one, other) {
  const parts = version => version.split(/[.+-]/).map(part => (/^\d+$/.test(part) ? Number(part) : -1));
  const [first, second] = [parts(one), parts(other)];
  for (let place = 0; place < Math.max(first.length, second.length); place += 1) {
    const difference = (first[place] ?? 0) - (second[place] ?? 0);
    if (difference !== 0) {
      return difference;
    }
  }
  return 0;
}

const folder = await installTool([source]);
const data = join(
  folder,
  'node_modules',
  source.replace(/@[\d.]+$/, ''),
  'vulnerabilities',
  'RetireJsVulns.json',
);
const libraries = Object.entries(JSON.parse(readFileSync(data, 'utf8')));
const byName = new Map(libraries.map(([name, library]) => [library.npmname ?? name, library]));
const known = installed.filter(({ name }) => byName.has(name));
const found = known.flatMap(({ name, version }) =>
  (byName.get(name).vulnerabilities ?? [])
    .filter(
      ({ below, atOrAbove }) =>
        (below === undefined || compare(version, below) < 0) &&
        (atOrAbove === undefined || compare(version, atOrAbove) >= 0),
    )
    .map(({ severity, identifiers = {} }) => `${name} ${version}: ${severity}, ${identifiers.summary ?? ''}`),
);
console.log(
  `${installed.length} packages. Retire.js has advisories for ${libraries.length} libraries, ${known.length} of them installed: ${known.map(({ name, version }) => `${name} ${version}`).join(', ')}.`,
);
found.forEach(line => console.log(line));
let failed = found.length > 0;

const { stdout } = spawnSync('npm', ['audit', '--package-lock-only', '--json'], {
  cwd: root,
  encoding: 'utf8',
  shell: process.platform === 'win32',
});
let audit;
try {
  audit = JSON.parse(stdout);
} catch {
  audit = {};
}
const registry = audit.metadata?.vulnerabilities;
if (registry === undefined) {
  console.log('The registry answers no audit: only the advisories of Retire.js were checked.');
} else {
  console.log(`Advisories of the registry: ${registry.total}.`);
  failed ||= registry.total > 0;
}
process.exitCode = failed ? 1 : 0;
