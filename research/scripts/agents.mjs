// Runs agents against a scripted model on this machine and compares what they recorded with what they sent: `npm run agents -w research -- NAME…`.
import '../../scripts/lib/currentNode.mjs';
import { loadBundle } from '../../scripts/lib/runBundle.mjs';

const { runAgents } = await loadBundle('research/agents/main.ts');
process.exitCode = (await runAgents(process.argv.slice(2))) ? 0 : 1;
