// Predicts what changes to a repository add to the requests of real agents, and compares with what they send: `npm run price -w research -- WORD…`.
import '../../scripts/lib/currentNode.mjs';
import { loadBundle } from '../../scripts/lib/runBundle.mjs';

const { measurePrice } = await loadBundle('research/price/main.ts');
await measurePrice(process.argv.slice(2));
