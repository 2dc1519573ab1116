// Runs real agents in pairs in which one setting differs, and compares what what-if predicts from one with the other: `npm run what-if -w research -- WORD…`.
import '../../scripts/lib/currentNode.mjs';
import { loadBundle } from '../../scripts/lib/runBundle.mjs';

const { measureWhatIf } = await loadBundle('research/whatIf/main.ts');
await measureWhatIf(process.argv.slice(2));
