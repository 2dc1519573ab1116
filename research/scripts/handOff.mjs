// Hands sessions to real agents, and compares the first request of each with its manifest:
// `npm run hand-off -w research -- claude|codex|pi|opencode FILE…`.
import '../../scripts/lib/currentNode.mjs';
import { loadBundle } from '../../scripts/lib/runBundle.mjs';

const { measureHandOffs } = await loadBundle('research/handOff/main.ts');
await measureHandOffs(process.argv.slice(2));
