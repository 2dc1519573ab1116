import { tokens } from '../../core/base/countWords';
import { groupBy } from '../../core/base/groupBy';
import { translate } from '../../core/base/translate';
import type { Transcript } from '../../core/model/transcript';
import { type SightReport, type SightVerdict, verdictKinds } from '../../core/sight/sightReport';
import { fetchedText, outcomeWords, verdictHeads, verdictText } from '../../core/sight/sightWords';
import { sightOf } from '../../core/questions/sightQuestion';
import { type RequestName, requestLabel, requestNames } from '../../core/view/requestNames';
import { command, type ExitCode, print } from '../command';
import { jsonOption, modelsOption } from '../options/options';
import { formatOption } from '../options/transcriptOptions';
import { withTranscript } from '../sessions/transcripts';
import { inLines, knownMoney, number } from '../output/words';

export const sight = command({
  name: 'sight',
  summary: translate(
    'Shows for each file edit if the agent had the replaced lines in its context, and what it fetched again after each compaction.',
  ),
  example: 'session.jsonl',
  options: { ...jsonOption, ...modelsOption, ...formatOption },
  run: (values, file) =>
    withTranscript(
      file,
      values.models,
      async (session): Promise<ExitCode> => {
        await session.countTokens();
        const report = await sightOf(session);
        const { transcript } = session;
        const names = requestNames(transcript.requests);
        await print(values.json, asJson(report, transcript, names), () =>
          describe(report, transcript, names),
        );
        return 0;
      },
      { format: values.format },
    ),
});

const lineAt = ({ blocks }: Transcript, block: number): number => blocks.at(block)?.source.line ?? 0;

/** The report with requests named as in other commands, and the lines of the transcript. */
function asJson(report: SightReport, transcript: Transcript, names: readonly RequestName[]) {
  return {
    counts: Object.fromEntries(
      verdictKinds.map(kind => [kind, report.edits.filter(({ verdict }) => verdict.kind === kind).length]),
    ),
    edits: report.edits.map(({ request, ...edit }) => ({
      ...edit,
      at: names[request] ?? null,
      line: lineAt(transcript, edit.block),
    })),
    compactions: report.compactions.map(({ fetched, money, ...sums }) => ({
      ...sums,
      money: knownMoney(money),
      line: transcript.compactions[sums.compaction]?.line ?? 0,
      fetched: fetched.map(each => ({
        ...each,
        money: knownMoney(each.money),
        line: lineAt(transcript, each.block),
      })),
    })),
  };
}

function describe(report: SightReport, transcript: Transcript, names: readonly RequestName[]): string {
  const byVerdict = groupBy(report.edits, ({ verdict }) => verdict.kind);
  const edits = verdictKinds.flatMap(kind => {
    const found = byVerdict.get(kind) ?? [];
    return found.length === 0
      ? []
      : [
          `${verdictHeads[kind]}: ${number(found.length)}`,
          ...found.map(({ block, request, path, outcome, verdict }) =>
            [
              `  ${translate('line {0}', number(lineAt(transcript, block)))}`,
              ...requestOf(names[request]),
              path,
              verdictText(verdict),
              ...evidenceLine(transcript, verdict),
              outcomeWords[outcome],
            ].join(' · '),
          ),
        ];
  });
  const compactions = report.compactions.flatMap(after =>
    after.fetched.length === 0
      ? []
      : [
          '',
          translate(
            'Fetched again after the compaction at line {0}: {1}',
            number(transcript.compactions[after.compaction]?.line ?? 0),
            fetchedText(after),
          ),
          ...after.fetched.map(
            each =>
              `  ${translate('line {0}', number(lineAt(transcript, each.block)))} · ${nameOf(transcript, each.block)} · ${tokens(each.tokens)}`,
          ),
        ],
  );
  return inLines([
    translate('{0, plural, one {# edit} other {# edits}}', report.edits.length),
    ...edits,
    ...compactions,
  ]);
}

const requestOf = (name: RequestName | undefined): readonly string[] =>
  name === undefined ? [] : [translate('request {0}', requestLabel(name))];

function evidenceLine(transcript: Transcript, verdict: SightVerdict): readonly string[] {
  const block = 'block' in verdict ? verdict.block : undefined;
  return block === undefined ? [] : [translate('see line {0}', number(lineAt(transcript, block)))];
}

function nameOf({ blocks }: Transcript, block: number): string {
  const { toolName = '', path = '' } = blocks.at(block) ?? {};
  return path === '' ? toolName : `${toolName} ${path}`;
}
