// Compares the sessions of recorded runs of agents with the requests that were sent, and prints the table of
// docs/agent-runs.md: `npm run agent-runs -w research -- FOLDER…`. `--before=FILE` takes the table of another version;
// cells that differ show both. `--list` prints every fault and every cause instead.
import '../../scripts/lib/currentNode.mjs';
import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { filesBelow } from './lib/filesBelow.mjs';
import { loadBundle } from '../../scripts/lib/runBundle.mjs';

const given = process.argv.slice(2);
const folders = given.filter(word => !word.startsWith('--')).map(folder => resolve(folder));
if (folders.length === 0) {
  console.error('Give folders: npm run agent-runs -w research -- FOLDER…');
  process.exit(2);
}
const earlier = given.find(word => word.startsWith('--before='))?.slice('--before='.length);
const before = earlier === undefined ? '' : readFileSync(earlier, 'utf8');
const { runsTable } = await loadBundle('research/samples/agentRuns.ts');
console.log(
  await runsTable(folders.flatMap(filesBelow), dirname(folders[0]), given.includes('--list'), before),
);
