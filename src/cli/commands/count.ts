import type { CountedRequest } from '../../backend/countBlocks';
import { translate } from '../../core/base/translate';
import { buildRequestView, largestFirst } from '../../core/view/requestView';
import { command, print } from '../command';
import { option } from '../options/options';
import { sendOptions } from '../options/sendOptions';
import { asUsageError, confirmed, readyRequest } from '../readyRequest';
import { atRequest } from '../sessions/transcripts';
import { readWhole } from '../options/values';
import { figure, inLines, tokens } from '../output/words';

export const count = command({
  name: 'count',
  summary: translate('Asks the provider to count the tokens of a request exactly. No answer is generated.'),
  example: 'session.jsonl --request 12',
  options: {
    ...sendOptions,
    calls: option(
      'N',
      translate(
        'Maximum number of calls to the counting service. The first call counts the request, each further call one large block. Default: 1.',
      ),
    ),
  },
  run: (values, file) => {
    const calls = readWhole('--calls', values.calls, 1, 1);
    return atRequest(file, values, async ({ session, request, index }) => {
      const { columns } = session.toSession();
      const view = buildRequestView(columns, request);
      const ready = await readyRequest(session, request, values);
      const limit = translate(
        '{0} so far; {1, plural, one {# call} other {# calls}} to the counting service at most',
        figure(view.total),
        calls,
      );
      if (!(await confirmed(ready, limit, values.yes))) {
        return 0;
      }
      const order = largestFirst(view).flatMap(position => view.blocks[position] ?? []);
      const { countBlocks } = await import('../../backend/main');
      const counted = await asUsageError(() =>
        countBlocks(ready.target, ready.conversation, order, calls, ready.control()),
      );
      const labelOf = (block: number): string => columns.strings.at(columns.blocks.label[block] ?? 0) ?? '';
      await print(values.json, { request: index, before: view.total, ...counted }, () =>
        describe(counted, labelOf),
      );
      return 0;
    });
  },
});

function describe({ tokens: all, parts, calls }: CountedRequest, labelOf: (block: number) => string): string {
  return inLines([
    translate('{0} (exact), counted with {1, plural, one {# call} other {# calls}}', tokens(all), calls),
    ...parts.map(part => `  ${tokens(part.tokens)}: ${labelOf(part.blocks[0] ?? 0)}`),
  ]);
}
