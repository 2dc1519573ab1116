import { assertNever } from '../../core/model/labels';
import { shellQuoted } from '../../core/base/shellQuoted';
import type { Command, Options } from '../command';
import { firstSentence } from '../output/words';

// Scripts for command line completion, generated from the tables of commands and options.

export const shells = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof shells)[number];

const program = 'context-inspector';

interface KnownOption {
  readonly name: string;
  /** The first sentence of its help. */
  readonly help: string;
  /** The value of the option: none, one of a few, a file, or any text. */
  readonly takes: 'nothing' | 'choice' | 'file' | 'text';
  readonly value: string;
  readonly choices: readonly string[];
}

function optionsOf(options: Options): readonly KnownOption[] {
  return Object.entries(options).map(([name, { type, value = '', help, choices = [] }]) => ({
    name,
    help: firstSentence(help),
    takes:
      type === 'boolean'
        ? 'nothing'
        : choices.length > 0
          ? 'choice'
          : value.endsWith('FILE')
            ? 'file'
            : 'text',
    value,
    choices,
  }));
}

/** The script that a shell reads. */
export function completionScript(shell: Shell, commands: readonly Command[]): string {
  switch (shell) {
    case 'bash':
      return bashScript(commands);
    case 'zsh':
      return zshScript(commands);
    case 'fish':
      return fishScript(commands);
    default:
      return assertNever(shell);
  }
}

/** Without suggestions, bash offers files. */
function bashScript(commands: readonly Command[]): string {
  const values = commands.flatMap(({ name, options }) =>
    optionsOf(options)
      .filter(({ takes }) => takes === 'choice')
      .map(option => `    '${name} --${option.name}') words='${option.choices.join(' ')}' ;;`),
  );
  const words = commands.flatMap(({ name, options, operandChoices = [] }) => [
    `        ${name}-*) words='${['help', ...Object.keys(options)].map(option => `--${option}`).join(' ')}' ;;`,
    ...(operandChoices.length === 0 ? [] : [`        ${name}*) words='${operandChoices.join(' ')}' ;;`]),
  ]);
  const first = [...commands.map(({ name }) => name), '--help', '--version'].join(' ');
  return `_context_inspector() {
  local word="\${COMP_WORDS[COMP_CWORD]}" command="\${COMP_WORDS[1]}" words=''
  case "$command \${COMP_WORDS[COMP_CWORD-1]}" in
${values.join('\n')}
    *)
      if [ "$COMP_CWORD" -eq 1 ]; then
        words='${first}'
      else
        case "$command$word" in
${words.join('\n')}
        esac
      fi
      ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$word"))
}
complete -o default -F _context_inspector ${program}
`;
}

function zshScript(commands: readonly Command[]): string {
  const plain = (text: string): string => text.replace(/[[\]:\\]/g, '\\$&');
  const described = commands.map(
    ({ name, summary }) => `    ${shellQuoted(`${name}:${firstSentence(summary)}`)}`,
  );
  const values = ({ takes, value, choices }: KnownOption): string => {
    switch (takes) {
      case 'nothing':
        return '';
      case 'choice':
        return `:${plain(value)}:(${choices.join(' ')})`;
      case 'file':
        return `:${plain(value)}:_files`;
      case 'text':
        return `:${plain(value)}:`;
    }
  };
  const cases = commands.map(({ name, options, operandChoices }) => {
    const operands = operandChoices === undefined ? '*:FILE:_files' : `1:SHELL:(${operandChoices.join(' ')})`;
    const specifications = [
      ...optionsOf(options).map(option => `--${option.name}[${plain(option.help)}]${values(option)}`),
      operands,
    ];
    return `    ${name})\n      _arguments ${specifications.map(shellQuoted).join(' \\\n        ')}\n      ;;`;
  });
  return `#compdef ${program}
_context_inspector() {
  local -a commands=(
${described.join('\n')}
  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  local command=$words[2]
  shift words
  (( CURRENT-- ))
  case $command in
${cases.join('\n')}
  esac
}
compdef _context_inspector ${program}
`;
}

function fishScript(commands: readonly Command[]): string {
  const quote = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
  const values = ({ takes, choices }: KnownOption): string => {
    switch (takes) {
      case 'nothing':
        return '';
      case 'choice':
        return ` -x -a ${quote(choices.join(' '))}`;
      case 'file':
        return ' -r -F';
      case 'text':
        return ' -x';
    }
  };
  const lines = commands.flatMap(({ name, summary, options, operandChoices }) => {
    const after = `-n ${quote(`__fish_seen_subcommand_from ${name}`)}`;
    return [
      `complete -c ${program} -f -n __fish_use_subcommand -a ${name} -d ${quote(firstSentence(summary))}`,
      ...optionsOf(options).map(
        option =>
          `complete -c ${program} ${after} -l ${option.name}${values(option)} -d ${quote(option.help)}`,
      ),
      ...(operandChoices === undefined
        ? []
        : [`complete -c ${program} ${after} -f -a ${quote(operandChoices.join(' '))}`]),
    ];
  });
  return `${lines.join('\n')}\n`;
}
