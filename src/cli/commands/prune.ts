import { translate } from '../../core/base/translate';
import { CacheSession } from '../../core/cache/cacheSession';
import { type BlockRow, blockRow } from '../../core/export/blockRow';
import { type PrunedCopyOutcome, prunedCopy } from '../../core/export/prunedCopy';
import { type PruneRow, pruneRow } from '../../core/export/sessionReport';
import { leavingTexts } from '../../core/export/sharePreview';
import type { PruneOptions } from '../../core/model/pruneConfig';
import { comparePrunes } from '../../core/prune/compare';
import { prunePreview } from '../../core/prune/prunePreview';
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
  /** The end of the cacheable prefix after the prune. */
  readonly prefix: { readonly blocks: number; readonly tokens: number };
  /** In wire order. */
  readonly candidates: readonly BlockRow[];
  /** Every rule set, with its own thresholds unless the user changed them. */
  readonly ruleSets: readonly PruneRow[];
  /** The written copy; null without --out. */
  readonly copy: (PrunedCopyOutcome & { readonly path: string; readonly redacted: boolean }) | null;
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
  const loaded = chosen.session.toSession();
  const { columns } = loaded;
  const view = buildRequestView(columns, chosen.request);
  const preview = prunePreview(columns, view, config);
  const { plan, positions, tokensAfter, prefix } = preview;
  const report = {
    request: chosen.index,
    options: config,
    executes: plan.executes,
    tokensBefore: view.total.value,
    tokensAfter,
    tokensFreed: plan.tokensFreed,
    prefix,
    candidates: positions.map(position => blockRow(columns, view, position)),
    ruleSets: comparePrunes(new CacheSession(loaded), view, config).map(pruneRow),
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

/** @param texts the number of texts in the transcript */
function describe(report: PruneCommandReport, texts: number): string {
  const { candidates, prefix, copy } = report;
  const widest = Math.max(...report.ruleSets.map(({ ruleSet }) => ruleSet.length));
  return inLines([
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
