// Measures the search for secrets: recall on two sets of texts with secrets, and false positives in packages of the npm registry. `npm run secrets -w research -- [--seeds N] [--recall]`; the packages are fetched as npm is configured and kept in the system's folder for temporary files. `--show` prints each miss and each finding.
import '../../scripts/lib/currentNode.mjs';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadBundle } from '../../scripts/lib/runBundle.mjs';
import { root } from '../../scripts/lib/packages.mjs';

const options = process.argv.slice(2);
const show = options.includes('--show');
const seeds = options.includes('--seeds') ? Number(options[options.indexOf('--seeds') + 1]) : 5;
const { isCovered, secretsIn } = await loadBundle('research/secrets/measure.ts');

for (const set of ['plantedSet', 'unseenSet']) {
  for (let seed = 1; seed <= seeds; seed += 1) {
    await measureRecall(set, seed);
  }
}
if (!options.includes('--recall')) {
  await measurePackages();
}

/** Recall on the texts of a set and a seed, and findings in its harmless texts. */
async function measureRecall(set, seed) {
  const { stdout } = spawnSync(
    process.execPath,
    [join(root, `research/secrets/${set}.mjs`), '--seed', String(seed)],
    { encoding: 'utf8', maxBuffer: 2 ** 26 },
  );
  let [planted, covered, harmless, found] = [0, 0, 0, 0];
  for (const line of stdout.trim().split('\n')) {
    const text = JSON.parse(line);
    const secrets = await secretsIn(text.text);
    if (text.secrets.length === 0) {
      harmless += 1;
      found += secrets.length > 0 ? 1 : 0;
      continue;
    }
    planted += 1;
    const isFound = isCovered(text, secrets);
    covered += isFound ? 1 : 0;
    if (show && !isFound) {
      console.log(`missed: ${text.kind} ${text.id}`);
    }
  }
  console.log(
    `${set}, seed ${seed}: ${covered} of ${planted} texts covered (${((covered / planted) * 100).toFixed(1)} %), findings in ${found} of ${harmless} harmless texts`,
  );
}

/** Findings in the texts of published packages, where no secret of anybody is expected. */
async function measurePackages() {
  const packages = JSON.parse(readFileSync(join(root, 'research/secrets/packages.json'), 'utf8'));
  const counts = new Map();
  let [findings, bytes] = [0, 0];
  for (const name of packages) {
    const folder = fetchPackage(name);
    for (const file of folder === undefined ? [] : textsBelow(folder)) {
      const text = readFileSync(file, 'utf8');
      bytes += Buffer.byteLength(text);
      for (const { rule, start, end } of await secretsIn(text)) {
        findings += 1;
        counts.set(rule, (counts.get(rule) ?? 0) + 1);
        if (show) {
          const before = text.slice(Math.max(0, start - 60), start);
          console.log(
            `${file.slice(folder.length)}: ${rule}: ${JSON.stringify([before, text.slice(start, end)])}`,
          );
        }
      }
    }
  }
  const megabytes = bytes / 1e6;
  console.log(
    `${packages.length} packages, ${megabytes.toFixed(1)} MB: ${findings} findings, ${(findings / megabytes).toFixed(2)} per MB`,
  );
  for (const [rule, count] of [...counts].sort((first, second) => second[1] - first[1])) {
    console.log(`${count} ${rule}`);
  }
}

/** The folder of a package, fetched if it is not there yet. */
function fetchPackage(name) {
  const folder = join(tmpdir(), 'context-inspector-packages', name.replaceAll('/', '+'));
  if (!existsSync(folder)) {
    const unfinished = `${folder}-${process.pid}`;
    mkdirSync(unfinished, { recursive: true });
    const shell = process.platform === 'win32';
    const { stdout } = spawnSync('npm', ['pack', name, '--json', '--pack-destination', unfinished], {
      encoding: 'utf8',
      shell,
    });
    const file = readdirSync(unfinished).find(entry => entry.endsWith('.tgz'));
    if (file === undefined || spawnSync('tar', ['-xzf', file], { cwd: unfinished }).status !== 0) {
      rmSync(unfinished, { recursive: true, force: true });
      console.error(`${name} could not be fetched. ${stdout}`);
      return undefined;
    }
    rmSync(join(unfinished, file));
    renameSync(unfinished, folder);
  }
  return folder;
}

/** The files with text. Source maps repeat other files. */
function* textsBelow(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      yield* textsBelow(path);
    } else if (
      entry.isFile() &&
      !entry.name.endsWith('.map') &&
      statSync(path).size <= 30e6 &&
      !readFileSync(path).subarray(0, 4096).includes(0)
    ) {
      yield path;
    }
  }
}
