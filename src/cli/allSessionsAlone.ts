import { index } from './commands/index';
import { search } from './commands/search';
import { usage } from './commands/usage';
import { runCommand, start } from './start';

// A bundle of the commands over all sessions is ready sooner: only what reads transcripts has to know their formats.
start(([name, ...words]) => {
  switch (name) {
    case 'index':
      return runCommand(index, words);
    case 'search':
      return runCommand(search, words);
    default:
      return runCommand(usage, words);
  }
});
