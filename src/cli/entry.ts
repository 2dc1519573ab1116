import { join } from 'node:path';

/** The bundles of single commands, which are ready sooner than that of all commands. */
const bundles: Readonly<Partial<Record<string, string>>> = {
  index: 'allSessions.js',
  inspect: 'inspect.js',
  search: 'allSessions.js',
  usage: 'allSessions.js',
};

/** The commands whose code is kept apart from that of the others: each runs other functions. */
const keptAlone: ReadonlySet<string> = new Set(['inspect', 'search', 'status', 'usage']);

// What `context-inspector` starts. `statusline` has to be ready at once, so it loads nothing else.
async function start(name = ''): Promise<void> {
  if (name === 'statusline' && process.argv.length === 3) {
    const { runStatusline } = await import('./statusline');
    await runStatusline();
  } else {
    const { runOwnBundle } = await import('./ownBundle');
    const bundle = Object.hasOwn(bundles, name) ? bundles[name] : undefined;
    runOwnBundle(join(__dirname, bundle ?? 'commands.js'), keptAlone.has(name) ? name : undefined);
  }
}

start(process.argv[2]).catch((error: unknown) => {
  throw error;
});
