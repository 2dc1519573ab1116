import { inspect } from './commands/inspect';
import { runNamed, start } from './start';

// A bundle of this command alone is ready sooner: with all commands, half as much again would have to be compiled.
start(words => runNamed([inspect], words));
