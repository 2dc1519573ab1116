import type { Command } from './command';
import { index } from './commands/index';
import { search } from './commands/search';
import { usage } from './commands/usage';
import { runCommand, start } from './start';

const commands: readonly Command[] = [index, search, usage];

// A bundle of the commands over all sessions is ready sooner: only what reads transcripts has to know their formats.
start(([name, ...words]) => runCommand(commands.find(each => each.name === name) ?? usage, words));
