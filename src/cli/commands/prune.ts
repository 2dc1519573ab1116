import { translate } from '../../core/base/translate';
import { CacheSession } from '../../core/cache/cacheSession';
import { type BlockRow, blockRow } from '../../core/export/blockRow';
import { type PrunedCopyOutcome, prunedCopy } from '../../core/export/prunedCopy';
import { type PruneRow, pruneRow } from '../../core/export/sessionReport';
import { leavingTexts } from '../../core/export/sharePreview';
import type { PruneOptions } from '../../core/model/pruneConfig';
import type { SessionColumns } from '../../core/model/columns';
import { requestsOfThread } from '../../core/model/requestBlocks';
import { comparePrunes } from '../../core/prune/compare';
import { estimateSentence } from '../../core/prune/estimateWords';
import { hindsightParts, type Saving } from '../../core/prune/hindsight';
import { knownLosses } from '../../core/prune/laterRequests';
import { bestForeseenText, bestText } from '../../core/prune/momentWords';
import { type PruneNet, pruneNet } from '../../core/prune/net';
import { nothingSentence } from '../../core/prune/nothingWords';
import { type PrunePreview, prunePreview } from '../../core/prune/prunePreview';
import { foreseenOf, type Found, type PruneMomentChoice } from '../../core/prune/search';
import { pruneVerdict, type VerdictKind } from '../../core/prune/verdict';
import { cacheQuestions } from '../../core/questions/cacheQuestions';
import { requestNumber } from '../../core/view/requestNames';
import { buildRequestView } from '../../core/view/requestView';
import { secretScanner } from '../../node/secrets/secretScannerOnDemand';
import { UsageError, type Values, command, print } from '../command';
import { configOption, jsonOption, option, outputOptions, secretsOption } from '../options/options';
import { requestOptions } from '../options/transcriptOptions';
import { writeOutput } from '../output/output';
import { pruneWords } from '../output/pruneWords';
import { type ChosenRequest, atRequest } from '../sessions/transcripts';
import { readPruneConfig } from '../options/values';
import { blocks, inLines, money, number, requestHeading, tokens } from '../output/words';

/** The output of `prune --json`. */
interface PruneCommandReport {
  /** 0-based among the requests of the conversation. */
  readonly request: number;
  readonly options: PruneOptions;
  readonly executes: boolean;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  readonly tokensFreed: number;
  readonly verdict: VerdictRow;
  /** The request of the conversation where these options save the most; null if they save nothing. */
  readonly best: MomentRow | null;
  /** The same without the losses that nobody could foresee; null if it is the same request, or none. */
  readonly bestForeseen: MomentRow | null;
  /** The results that the agent prunes by its own measure, if they are others; otherwise null. */
  readonly prunedByEstimate: number | null;
  /** The end of the cacheable prefix after the prune. */
  readonly prefix: { readonly blocks: number; readonly tokens: number };
  /** In wire order. */
  readonly candidates: readonly BlockRow[];
  /** Every rule set, with its own thresholds unless the user changed them. */
  readonly ruleSets: readonly PruneRow[];
  /** The written copy; null without --out. */
  readonly copy: (PrunedCopyOutcome & { readonly path: string; readonly redacted: boolean }) | null;
}

/** The saving of a prune over the rest of the session, in US dollars at list prices; negative if it costs more. */
interface SavingRow {
  /** Null if a price is unknown. */
  readonly money: number | null;
  /** Without the losses that nobody could foresee. */
  readonly foreseenMoney: number | null;
  /** 0-based in the conversation: the loss that adds the most; null if no loss does. */
  readonly restsOn: number | null;
  /** The sentences about this loss, as text. */
  readonly inHindsight: readonly string[];
}

interface VerdictRow extends SavingRow {
  /** `nothing`: the plan does not execute. */
  readonly kind: VerdictKind | 'nothing';
  readonly sentence: string;
}

interface MomentRow extends SavingRow {
  /** 0-based in the conversation. */
  readonly request: number;
  readonly sentence: string;
  readonly tokensFreed: number;
  readonly results: number;
}

const options = {
  ...requestOptions,
  ...configOption,
  ...outputOptions,
  ...secretsOption,
  ...jsonOption,
  out: option('FILE', translate('Write a pruned copy of the transcript in its own format.')),
} as const;

export const prune = command({
  name: 'prune',
  summary: translate(
    'Shows the tokens that pruning old results at a request would free, with the chosen rule set and with all others.',
  ),
  example: 'session.jsonl --out pruned.jsonl',
  options,
  run: async (values, file) => {
    const config = await readPruneConfig(values.config);
    return atRequest(file, values, async chosen => {
      const report = await pruneReport(chosen, config, file, values);
      const texts = chosen.session.transcript.blocks.length;
      await print(values.json, report, () => describe(report, texts));
      return 0;
    });
  },
});

async function pruneReport(
  chosen: ChosenRequest,
  config: PruneOptions,
  file: string,
  values: Values<typeof options>,
): Promise<PruneCommandReport> {
  const questions = cacheQuestions(chosen.session);
  const losses = knownLosses((await questions.report()).findings);
  const found = await questions.bestMoment(chosen.request, config);
  const loaded = chosen.session.toSession();
  const session = new CacheSession(loaded);
  const { columns } = loaded;
  const view = buildRequestView(columns, chosen.request);
  const preview = prunePreview(columns, view, config);
  const { plan, positions, tokensAfter, prefix } = preview;
  const indexOf = indexInConversation(loaded.columns, chosen);
  const net = pruneNet(session, view, preview, config, losses);
  const report = {
    request: chosen.index,
    options: config,
    executes: plan.executes,
    tokensBefore: view.total.value,
    tokensAfter,
    tokensFreed: plan.tokensFreed,
    verdict: verdictRow(preview, net, config, indexOf),
    ...bestRows(found, indexOf),
    prunedByEstimate: preview.prunedByEstimate ?? null,
    prefix,
    candidates: positions.map(position => blockRow(columns, view, position)),
    ruleSets: comparePrunes(session, view, config, losses).map(pruneRow),
  };
  if (values.out === undefined) {
    return { ...report, copy: null };
  }
  if (!plan.executes) {
    const sentence = translate('Nothing would be pruned with these options, so no copy was written.');
    throw new UsageError(`${file}: ${sentence}`);
  }
  const redacted = values['keep-secrets'] !== true;
  const copy = await prunedCopy({
    session: chosen.session,
    request: chosen.request,
    options: config,
    candidates: plan.candidates,
    notices: plan.notices,
    redactWith: redacted ? secretScanner : undefined,
  });
  if (!copy.ok) {
    throw new UsageError(`${file}: ${copy.sentence}`);
  }
  const outcome = await writeOutput(values.out, copy.bytes, {
    transcript: file,
    force: values.force,
    check: copy.readBack,
  });
  return { ...report, copy: { path: values.out, redacted, ...outcome } };
}

/** The 0-based index of a request of the file in the chosen conversation. */
type IndexOf = (request: number) => number;

function indexInConversation(columns: SessionColumns, { request }: ChosenRequest): IndexOf {
  const requests = requestsOfThread(columns, columns.requests.thread[request] ?? 0);
  return each => requests.indexOf(each);
}

function verdictRow(
  { plan }: PrunePreview,
  net: PruneNet,
  config: PruneOptions,
  indexOf: IndexOf,
): VerdictRow {
  const request = requestNumber(indexOf(net.request));
  const nothing = nothingSentence(plan, config, request);
  return {
    ...(nothing === undefined ? pruneVerdict(net, request) : { kind: 'nothing' as const, sentence: nothing }),
    ...savingRow(nothing === undefined ? net.worth : undefined, indexOf),
  };
}

function bestRows(
  { best, foreseen }: Found<PruneMomentChoice>,
  indexOf: IndexOf,
): Pick<PruneCommandReport, 'best' | 'bestForeseen'> {
  const row = (
    choice: PruneMomentChoice | undefined,
    text: (choice: PruneMomentChoice, request: string) => string,
  ): MomentRow | null =>
    choice === undefined
      ? null
      : {
          request: indexOf(choice.request),
          sentence: text(choice, requestNumber(indexOf(choice.request))),
          ...savingRow(choice, indexOf),
          tokensFreed: choice.tokensFreed,
          results: choice.results,
        };
  return { best: row(best, bestText), bestForeseen: row(foreseen, bestForeseenText) };
}

function savingRow(saving: Saving | undefined, indexOf: IndexOf): SavingRow {
  return saving === undefined
    ? { money: null, foreseenMoney: null, restsOn: null, inHindsight: [] }
    : {
        money: saving.gained.money,
        foreseenMoney: foreseenOf(saving),
        restsOn: saving.restsOn === undefined ? null : indexOf(saving.restsOn),
        inHindsight: hindsightParts(saving, undefined, request => requestNumber(indexOf(request))),
      };
}

/** The verdict on the prune, and the best request if it is another one, both with and without hindsight. */
function verdictLines(report: PruneCommandReport): readonly string[] {
  const {
    request,
    options: { ruleSet },
    verdict,
    best,
    bestForeseen,
    prunedByEstimate,
  } = report;
  const others = [best, best !== null && best.inHindsight.length > 0 ? bestForeseen : null];
  return [
    verdict.sentence,
    ...verdict.inHindsight.map(part => `  ${part}`),
    ...(prunedByEstimate === null ? [] : [estimateSentence(ruleSet, prunedByEstimate)]),
    ...others.flatMap((moment, place) =>
      moment === null || moment.request === request
        ? []
        : [moment.sentence, ...(place === 0 ? moment.inHindsight.map(part => `  ${part}`) : [])],
    ),
  ];
}

/** @param texts the number of texts in the transcript */
function describe(report: PruneCommandReport, texts: number): string {
  const { candidates, prefix, copy } = report;
  const widest = Math.max(...report.ruleSets.map(({ ruleSet }) => ruleSet.length));
  return inLines([
    ...verdictLines(report),
    '',
    translate(
      '{0}, rule set {1}: {2}',
      requestHeading({ conversation: 0, request: report.request }),
      report.options.ruleSet,
      pruneWords(candidates.length, report),
    ),
    `  ${translate('{0} now, {1} with the results pruned', tokens(report.tokensBefore), number(report.tokensAfter))}`,
    `  ${translate('then cached: the first {0}, {1}', blocks(prefix.blocks), tokens(prefix.tokens))}`,
    ...candidates.map(
      ({ line, label, tokens: size }) => `  ${translate('line {0}: {1}, {2}', line, label, tokens(size))}`,
    ),
    '',
    translate('All rule sets for this request:'),
    ...report.ruleSets.map(
      row =>
        `  ${row.ruleSet.padEnd(widest)}  ${pruneWords(row.candidates, row)}${row.executes ? netWords(row.net) : ''}`,
    ),
    ...(copy === null ? [] : ['', copySentence(copy, candidates.length, texts)]),
  ]);
}

/** The one-time cost of the prune, when it pays back, and its savings in this session. */
function netWords({ tokensRewritten, worth }: PruneRow['net']): string {
  const rewritten = `; ${translate('{0} rewritten', number(tokensRewritten))}`;
  if (worth === undefined) {
    return `${rewritten}, ${translate('prices unknown')}`;
  }
  const pays =
    worth.breakEven === undefined
      ? translate('never pays back')
      : translate('pays back after {0, plural, one {# request} other {# requests}}', worth.breakEven);
  const gained =
    worth.gained.money < 0
      ? translate('costs {0} more by the end of the session', money(-worth.gained.money))
      : translate('saves {0} by the end of the session', money(worth.gained.money));
  return `${rewritten}, ${pays}, ${gained}`;
}

function copySentence(
  copy: NonNullable<PruneCommandReport['copy']>,
  candidates: number,
  texts: number,
): string {
  const left = candidates - copy.pruned;
  return [
    copy.redacted
      ? translate(
          'Wrote {0}: {1, plural, one {# result} other {# results}} pruned, credentials removed.',
          copy.path,
          copy.pruned,
        )
      : translate(
          'Wrote {0}: {1, plural, one {# result} other {# results}} pruned, credentials kept.',
          copy.path,
          copy.pruned,
        ),
    ...(copy.redacted ? [leavingTexts(texts)] : []),
    ...(left === 0
      ? []
      : [
          translate(
            '{0, plural, one {# result was} other {# results were}} not pruned because of content other than text.',
            left,
          ),
        ]),
  ].join(' ');
}
