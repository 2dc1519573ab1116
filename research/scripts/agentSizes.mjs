// Measures what agents send of their own, system prompt, built-in tools and notes, from recorded runs: `npm run agent-sizes -w research -- FOLDER…`. A run is FOLDER/AGENT/VERSION/NAME/raw-requests.jsonl, which may be gzipped; `npm run agents -w research -- NAME --record=FOLDER` makes one. Runs named model-… are of models with other prompts, and make a row of their own. Rows of agents and versions that the folders lack stay. Only sizes are stored.
import '../../scripts/lib/currentNode.mjs';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { root } from '../../scripts/lib/packages.mjs';
import { loadBundle } from '../../scripts/lib/runBundle.mjs';
import { writeTable } from './lib/writeTable.mjs';

const folders = process.argv.slice(2);
if (folders.length === 0) {
  console.error('Give the folders of the runs: npm run agent-sizes -w research -- FOLDER…');
  process.exit(2);
}
const { loadTokenizer } = await loadBundle('src/core/tokens/bytePairTokenizer.ts');
const { compareVersions } = await loadBundle('src/core/base/compareVersions.ts');
const { ownPartsOf, toolsOf } = await loadBundle('research/agents/ownParts.ts');
const tokenizer = await loadTokenizer('o200k_base');
const count = texts => texts.reduce((sum, text) => sum + tokenizer.count(text), 0);

const table = JSON.parse(readFileSync(join(root, 'src/core/tokens/measured/agentSizes.json'), 'utf8'));
const keyOf = ({ agent, version, models = [] }) =>
  `${agent} ${version} ${models.length === 0 ? '' : 'models'}`;
const sizes = new Map(table.map(size => [keyOf(size), size]));
for (const folder of folders) {
  for (const agent of readdirSync(folder).sort()) {
    for (const version of readdirSync(join(folder, agent)).sort()) {
      const runs = readdirSync(join(folder, agent, version)).sort();
      const isOfModel = run => run.startsWith('model-');
      for (const group of [runs.filter(run => !isOfModel(run)), runs.filter(isOfModel)]) {
        const bodies = group.flatMap(run => requestsOf(join(folder, agent, version, run)));
        if (bodies.length === 0) {
          continue;
        }
        const measured = bodies.map(ownPartsOf);
        const middle = part => median(measured.map(parts => count(parts[part])));
        const size = {
          agent,
          version,
          ...(isOfModel(group[0])
            ? { models: [...new Set(bodies.map(({ model }) => model.replace(/-\d{8}$/, '')))].sort() }
            : {}),
          system: middle('system'),
          tools: middle('tools'),
          notes: middle('notes'),
          runs: bodies.length,
        };
        sizes.set(keyOf(size), size);
        console.log(JSON.stringify(size));
      }
    }
  }
}
writeTable(
  'agentSizes',
  [...sizes.values()].sort((one, other) =>
    one.agent < other.agent ? -1 : one.agent > other.agent ? 1 : compareVersions(one.version, other.version),
  ),
);

/** Of the first requests with tools of a run the one with the most: titles are made with few. */
function requestsOf(run) {
  for (const name of ['raw-requests.jsonl', 'raw-requests.jsonl.gz']) {
    let bytes;
    try {
      bytes = readFileSync(join(run, name));
    } catch {
      continue;
    }
    const text = (name.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
    const bodies = text
      .split('\n')
      .flatMap(line => (line === '' ? [] : [JSON.parse(line).body]))
      .filter(body => typeof body === 'object' && body !== null && toolsOf(body).length > 0)
      .slice(0, 4)
      .sort((one, other) => toolsOf(other).length - toolsOf(one).length);
    return bodies.slice(0, 1);
  }
  return [];
}

function median(numbers) {
  return [...numbers].sort((first, second) => first - second)[numbers.length >> 1];
}
