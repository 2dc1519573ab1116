import { csvCell } from '../../core/base/csvCell';
import { translate } from '../../core/base/translate';
import { type Breakdown, type BreakdownNode, breakdown as breakDown } from '../../core/breakdown/breakdown';
import { breakdownGroupings } from '../../core/breakdown/breakdownKinds';
import { command, type ExitCode, print } from '../command';
import { choice, flag, jsonOption } from '../options/options';
import { requestOptions } from '../options/transcriptOptions';
import { atRequest } from '../sessions/transcripts';
import { readOneOf, refuse } from '../options/values';
import { inLines, money, number, percent, tokens } from '../output/words';

/** The output of `breakdown --json`. */
interface BreakdownReport {
  readonly conversation: number;
  /** 0-based in its conversation; null for all requests of the session. */
  readonly request: number | null;
  /** Input tokens of the request, or of all requests. */
  readonly total: number;
  /** Number of requests in the carried sums, and how many of them have no known price. */
  readonly requests: number;
  readonly unpriced: number;
  readonly root: BreakdownNode;
}

export const breakdown = command({
  name: 'breakdown',
  summary: translate(
    'Breaks down the tokens of a request, or of all requests, by tool, server, file, program and so on, with the cost of sending each part over the session.',
  ),
  example: 'session.jsonl --session',
  options: {
    session: flag(translate('Count all requests of the session instead of one.')),
    by: choice(
      'WHAT',
      breakdownGroupings,
      translate(
        'Group results by their content, such as files and shell ({0}), or by the tool that returned them ({1}). Default: {0}.',
        'content',
        'tool',
      ),
    ),
    csv: flag(translate('Print comma-separated values, one row per part.')),
    ...requestOptions,
    ...jsonOption,
  },
  run: (values, file) => {
    // All requests of all conversations.
    if (values.session === true) {
      refuse(values.request !== undefined, '--request', '--session');
      refuse(values.conversation !== undefined, '--conversation', '--session');
    }
    refuse(values.csv === true && values.json === true, '--json', '--csv');
    return atRequest(file, values, async ({ session, request, index }): Promise<ExitCode> => {
      const isSession = values.session === true;
      const grouping = values.by === undefined ? undefined : readOneOf('--by', values.by, breakdownGroupings);
      const found = breakDown(session.toSession(), isSession ? undefined : request, grouping);
      const report: BreakdownReport = {
        conversation: session.transcript.requests[request]?.thread ?? 0,
        request: isSession ? null : index,
        ...found,
      };
      await print(values.json, report, () =>
        values.csv === true ? inLines(csvLines(found.root)) : describe(found),
      );
      return 0;
    });
  },
});

const columns = ['path', 'kind', 'tokens', 'cached', 'fresh', 'money', 'blocks'] as const;

function csvLines(root: BreakdownNode): readonly string[] {
  const lines: string[] = [columns.join(',')];
  const add = (node: BreakdownNode, above: readonly string[]): void => {
    const path = [...above, node.name];
    const { kind, tokens: count, carried, money: dollars, blocks } = node;
    lines.push(
      [path.join(' > '), kind, count, carried.cached, carried.fresh, dollars ?? '', blocks]
        .map(csvCell)
        .join(','),
    );
    node.children.forEach(child => {
      add(child, path);
    });
  };
  add(root, []);
  return lines;
}

function describe({ root, total, requests, unpriced }: Breakdown): string {
  const lines: string[] = [];
  const add = (node: BreakdownNode, depth: number): void => {
    if (node.kind === 'block') {
      return;
    }
    const { tokens: count, carried, money: dollars } = node;
    const share = total === 0 ? 0 : count / total;
    lines.push(
      [
        `${'  '.repeat(depth)}${node.name}`,
        tokens(count),
        percent(share),
        translate('total sent {0}', number(carried.cached + carried.fresh)),
        ...(dollars === null ? [] : [money(dollars)]),
      ].join(' · '),
    );
    node.children.forEach(child => {
      add(child, depth + 1);
    });
  };
  add(root, 0);
  return inLines([
    ...lines,
    '',
    translate(
      'Total sent: summed over {0, plural, one {# request} other {# requests}}, {1} of them without a known price.',
      requests,
      number(unpriced),
    ),
  ]);
}
