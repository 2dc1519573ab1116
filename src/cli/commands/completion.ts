import { translate } from '../../core/base/translate';
import { type Command, command } from '../command';
import { completionScript, shells } from '../options/completion';
import { printHelp } from '../output/ownWords';
import { readOneOf } from '../options/values';

/** The line with which bash reads the script at every start. */
const reading = 'eval "$(context-inspector completion bash)"';

/** @param commands all commands, including this one */
export function completion(commands: () => readonly Command[]): Command {
  return command({
    name: 'completion',
    operands: ['SHELL'],
    operandChoices: shells,
    summary: translate(
      'Prints a script that completes commands, options and files in a shell: {0}. Line for the start file of bash: {1}',
      shells.join(', '),
      reading,
    ),
    example: 'fish > ~/.config/fish/completions/context-inspector.fish',
    options: {},
    run: (_, shell) => {
      printHelp(completionScript(readOneOf('SHELL', shell, shells), commands()));
      return Promise.resolve(0);
    },
  });
}
