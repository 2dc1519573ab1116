import { isAgentError } from '../../core/model/contextBackend';
import { buildRequestView } from '../../core/view/requestView';
import type { CountedRequest } from '../../backend/countBlocks';
import {
  commonOptions,
  jsonHelp,
  modelsHelp,
  modelsOption,
  onlyFile,
  printJson,
  readArguments,
  readOptionalIndex,
  requestHelp,
  requestOptions,
  UsageError,
  type Command,
  type ExitCode,
} from '../arguments';
import { askingHelp, askingOptions, askingSynopsis, readCount, readyRequest } from '../asking';
import { requestAt, requestsOf, withTranscript } from '../opened';
import { count as amount, figure, number } from '../words';

export const count: Command = {
  name: 'count',
  synopsis: `FILE [--conversation N] [--request N] ${askingSynopsis} [--calls N] [--json]`,
  help: `Lets the provider count the tokens of a request: exactly, and without an answer.

${requestHelp}${askingHelp}  --calls N         calls to the counting service at most, 1 when left out: the first counts the request,
                    every other one of its largest blocks
${jsonHelp}${modelsHelp}`,
  async run(words) {
    const { values, positionals } = readArguments(words, {
      ...commonOptions,
      ...modelsOption,
      ...requestOptions,
      ...askingOptions,
      calls: { type: 'string' },
    });
    const file = onlyFile(count, positionals);
    const index = readOptionalIndex('--request', values.request);
    const conversation = readOptionalIndex('--conversation', values.conversation);
    const calls = readCount('--calls', values.calls, 1);
    return withTranscript<ExitCode>(
      file,
      async session => {
        const chosen = requestAt(file, requestsOf(file, session, conversation), index);
        await session.countTokens();
        const { columns } = session.toSession();
        const view = buildRequestView(columns, chosen.request);
        const ready = await readyRequest(session, chosen.request, values);
        process.stderr.write(
          `${ready.notice}  ${figure(view.total)} tokens so far, ${amount(calls, 'call')} to the counting service at most\n`,
        );
        if (values.yes !== true) {
          process.stderr.write('Nothing was sent; --yes sends it.\n');
          return 0;
        }
        const order = [...view.blocks.keys()]
          .sort((first, second) => (view.tokens[second] ?? 0) - (view.tokens[first] ?? 0))
          .flatMap(position => view.blocks[position] ?? []);
        const { countBlocks } = await import('../../backend/main');
        const counted = await countBlocks(
          ready.target,
          ready.conversation,
          order,
          calls,
          ready.control(),
        ).catch((error: unknown) => {
          throw isAgentError(error) ? new UsageError(error.message) : error;
        });
        const labelOf = (block: number): string => columns.strings.at(columns.blocks.label[block] ?? 0) ?? '';
        if (values.json === true) {
          printJson({ request: chosen.index, before: view.total, ...counted });
        } else {
          process.stdout.write(describe(counted, labelOf));
        }
        return 0;
      },
      values.models,
    );
  },
};

function describe({ tokens, parts, calls }: CountedRequest, labelOf: (block: number) => string): string {
  return [
    `${number(tokens)} tokens (exact), counted with ${amount(calls, 'call')}`,
    ...parts.map(part => `  ${number(part.tokens)} tokens: ${labelOf(part.blocks[0] ?? 0)}`),
    '',
  ].join('\n');
}
