// Runs agents against a scripted model on this machine and compares what they recorded with what they sent: `npm run agents -- NAME…`.
import './lib/currentNode.mjs';
import { loadBundle } from './lib/runBundle.mjs';

const { runAgents } = await loadBundle('test/agents/main.ts');
process.exitCode = (await runAgents(process.argv.slice(2))) ? 0 : 1;
