import { join } from 'node:path';

/** The commands whose code is kept apart from that of the others: each runs other functions. */
const keptAlone: ReadonlySet<string | undefined> = new Set(['inspect', 'search', 'status', 'usage']);

// What `context-inspector` starts. `statusline` has to be ready at once, so it loads nothing else.
async function start(name: string | undefined): Promise<void> {
  if (name === 'statusline' && process.argv.length === 3) {
    const { runStatusline } = await import('./statusline');
    runStatusline();
  } else {
    const { runOwnBundle } = await import('./ownBundle');
    // With all commands, half as much again would have to be loaded.
    const bundle = name === 'inspect' ? 'inspect.js' : 'commands.js';
    runOwnBundle(join(__dirname, bundle), keptAlone.has(name) ? name : undefined);
  }
}

start(process.argv[2]).catch((error: unknown) => {
  throw error;
});
