import { printFault } from './output/ownWords';

// The entry of `context-inspector`. An agent waits for `statusline` and
// `guard`, so they load nothing else.
async function start(name = ''): Promise<void> {
  if (name === 'statusline' && process.argv.length === 3) {
    const { runStatusline } = await import('./statusline');
    await runStatusline();
  } else if (name === 'guard' && process.argv.length === 3) {
    const { keepCompiled } = await import('./keepCompiled');
    keepCompiled();
    const { runGuard } = await import('./guardHook');
    await runGuard(Number.POSITIVE_INFINITY);
  } else {
    const { runCommands } = await import('./runCommands');
    runCommands();
  }
}

const needed = process.env['NEEDED_NODE'] ?? '';

/** True if this Node has at least a version, given by its first two numbers. */
function isAtLeast(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [ownMajor = 0, ownMinor = 0] = process.versions.node.split('.').map(Number);
  return ownMajor > major || (ownMajor === major && ownMinor >= minor);
}

if (isAtLeast(needed)) {
  start(process.argv[2]).catch((error: unknown) => {
    throw error;
  });
} else {
  printFault(`Context Inspector needs Node ${needed} or newer, and this is Node ${process.versions.node}.\n`);
  process.exitCode = 2;
}
