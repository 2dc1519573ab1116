// What `context-inspector` starts. `statusline` has to be ready at once, and `inspect` soon; the other commands share a bundle.
async function start(name: string | undefined): Promise<void> {
  if (name === 'statusline' && process.argv.length === 3) {
    const { runStatusline } = await import('./statusline');
    runStatusline();
  } else if (name === 'inspect') {
    await import('./inspectAlone');
  } else {
    await import('./main');
  }
}

start(process.argv[2]).catch((error: unknown) => {
  throw error;
});
