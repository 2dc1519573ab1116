import { runStatusline } from './statusline';

// What `context-inspector` starts. All commands but the one that has to be ready at once are in a bundle of their own.
if (process.argv[2] === 'statusline' && process.argv.length === 3) {
  runStatusline();
} else {
  import('./main').catch((error: unknown) => {
    throw error;
  });
}
