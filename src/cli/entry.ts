import { join } from 'node:path';

/** The bundles of the commands that are used most. The compiled code of each is kept by itself: each runs other functions. */
const bundles: ReadonlyMap<string, string> = new Map([
  ['index', 'allSessions.js'],
  ['inspect', 'inspect.js'],
  ['search', 'allSessions.js'],
  ['status', 'commands.js'],
  ['usage', 'allSessions.js'],
]);

// What `context-inspector` starts. `statusline` has to be ready at once, so it loads nothing else.
async function start(name = ''): Promise<void> {
  if (name === 'statusline' && process.argv.length === 3) {
    const { runStatusline } = await import('./statusline');
    await runStatusline();
  } else {
    const { runOwnBundle } = await import('./ownBundle');
    const bundle = bundles.get(name);
    runOwnBundle(join(__dirname, bundle ?? 'commands.js'), bundle === undefined ? undefined : name);
  }
}

start(process.argv[2]).catch((error: unknown) => {
  throw error;
});
