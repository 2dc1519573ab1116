// Prints how often the radar finds a planted change, and how often it raises an alarm without one, as in docs/radar.md:
// `npm run radar -w research -- [HISTORIES] [WITHOUT A CHANGE]`.
import '../../scripts/lib/currentNode.mjs';
import { loadBundle } from '../../scripts/lib/runBundle.mjs';

const [histories = 200, without = 1000] = process.argv.slice(2).map(Number);
const { radarProof } = await loadBundle('research/samples/radarHistories.ts');
console.log(radarProof(histories, without));
