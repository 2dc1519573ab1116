import { index } from './commands/index';
import { search } from './commands/search';
import { usage } from './commands/usage';
import { runNamed, start } from './start';

// A bundle of the commands over all sessions is ready sooner: only what reads transcripts has to know their formats.
start(words => runNamed([index, search, usage], words));
