import { CacheSession } from '../../core/cache/cacheSession';
import type { PruneOptions, PruneRuleSet } from '../../core/model/pruneConfig';
import { comparePrunes } from '../../core/prune/compare';
import type { PruneNet } from '../../core/prune/net';
import { prunedCopy, type PrunedCopyOutcome } from '../../core/export/prunedCopy';
import type { TranscriptSession } from '../../core/session/transcriptSession';
import { prunePreview } from '../../core/prune/prunePreview';
import { buildRequestView } from '../../core/view/requestView';
import { secretScanner } from '../../node/secretScannerOnDemand';
import {
  commonOptions,
  configHelp,
  jsonHelp,
  modelsHelp,
  modelsOption,
  onlyFile,
  printJson,
  readArguments,
  readOptionalIndex,
  readPruneConfig,
  requestHelp,
  requestOptions,
  UsageError,
  type Command,
  type ExitCode,
} from '../arguments';
import { blockRow, type BlockRow } from '../blockRow';
import { requestAt, requestsOf, withTranscript } from '../opened';
import { forceHelp, outputOptions, writeOutput } from '../output';
import { count, money, number } from '../words';

/** What `prune --json` prints. */
export interface PruneCommandReport {
  /** 0-based among the requests of the conversation. */
  readonly request: number;
  readonly options: PruneOptions;
  readonly executes: boolean;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  readonly tokensFreed: number;
  /** Where the cacheable prefix would end. */
  readonly prefix: { readonly blocks: number; readonly tokens: number };
  /** In wire order. */
  readonly candidates: readonly BlockRow[];
  /** Each rule set with the thresholds that are its own, where they were not changed. */
  readonly ruleSets: readonly RuleSetRow[];
  /** The written copy; null without --out. */
  readonly copy: (PrunedCopyOutcome & { readonly path: string; readonly redacted: boolean }) | null;
}

interface RuleSetRow {
  readonly ruleSet: PruneRuleSet;
  readonly candidates: number;
  readonly tokensFreed: number;
  readonly executes: boolean;
  /** What it is worth, the cache that it breaks included. */
  readonly net: PruneNet;
}

export const prune: Command = {
  name: 'prune',
  synopsis:
    'FILE [--conversation N] [--request N] [--config FILE] [--models FILE] [--json] [--out FILE [--force] [--keep-secrets]]',
  help: `Shows what a prune at a request would take out and free, by the chosen rule set and by all others.

${requestHelp}${configHelp}${jsonHelp}${modelsHelp}  --out FILE        write a copy of the transcript with the candidates pruned, in its own format
${forceHelp}  --keep-secrets    leave credentials in the copy; without it they stand as [redacted: rule]
`,
  async run(words) {
    const { values, positionals } = readArguments(words, {
      ...commonOptions,
      ...modelsOption,
      ...requestOptions,
      ...outputOptions,
      config: { type: 'string' },
      'keep-secrets': { type: 'boolean' },
    });
    const file = onlyFile(prune, positionals);
    const options = await readPruneConfig(values.config);
    const index = readOptionalIndex('--request', values.request);
    const conversation = readOptionalIndex('--conversation', values.conversation);
    return withTranscript<ExitCode>(
      file,
      async session => {
        const chosen = requestAt(file, requestsOf(file, session, conversation), index);
        await session.countTokens();
        const report = reportOf(session, chosen, options);
        const keepSecrets = values['keep-secrets'] === true;
        const copy =
          values.out === undefined
            ? null
            : await writeCopy(session, chosen.request, options, {
                path: values.out,
                transcript: file,
                force: values.force,
                keepSecrets,
              });
        if (values.json === true) {
          printJson({ ...report, copy } satisfies PruneCommandReport);
        } else {
          process.stdout.write(describe({ ...report, copy }));
        }
        return 0;
      },
      values.models,
    );
  },
};

function reportOf(
  session: TranscriptSession,
  { request, index }: { readonly request: number; readonly index: number },
  options: PruneOptions,
): Omit<PruneCommandReport, 'copy'> {
  const loaded = session.toSession();
  const { columns } = loaded;
  const view = buildRequestView(columns, request);
  const { plan, positions, tokensAfter, prefix } = prunePreview(columns, view, options);
  return {
    request: index,
    options,
    executes: plan.executes,
    tokensBefore: view.total.value,
    tokensAfter,
    tokensFreed: plan.tokensFreed,
    prefix,
    candidates: positions.map(position => blockRow(columns, view, position)),
    ruleSets: comparePrunes(new CacheSession(loaded), view, options).map(({ ruleSet, preview, net }) => ({
      ruleSet,
      candidates: preview.plan.candidates.length,
      tokensFreed: preview.plan.tokensFreed,
      executes: preview.plan.executes,
      net,
    })),
  };
}

async function writeCopy(
  session: TranscriptSession,
  request: number,
  options: PruneOptions,
  {
    path,
    transcript,
    force,
    keepSecrets,
  }: {
    readonly path: string;
    readonly transcript: string;
    readonly force: boolean | undefined;
    readonly keepSecrets: boolean;
  },
): Promise<PruneCommandReport['copy']> {
  const { columns } = session.toSession();
  const { plan } = prunePreview(columns, buildRequestView(columns, request), options);
  if (!plan.executes) {
    throw new UsageError(`${transcript}: By this plan nothing is pruned, so there is no copy to write.`);
  }
  const copy = await prunedCopy({
    session,
    request,
    options,
    candidates: plan.candidates,
    notices: plan.notices,
    redactWith: keepSecrets ? undefined : secretScanner,
  });
  if (!copy.ok) {
    throw new UsageError(`${transcript}: ${copy.sentence}`);
  }
  const outcome = await writeOutput(path, copy.bytes, { transcript, force });
  return { path, redacted: !keepSecrets, ...outcome };
}

function describe(report: PruneCommandReport): string {
  const { options, candidates, prefix, copy } = report;
  const widest = Math.max(...report.ruleSets.map(({ ruleSet }) => ruleSet.length));
  const lines = [
    `Request ${report.request}, by the ${options.ruleSet} rules: ${count(candidates.length, 'candidate')}, ` +
      `${number(report.tokensFreed)} tokens${report.executes ? ' freed' : ', not executed'}`,
    `  ${number(report.tokensBefore)} tokens now, ${number(report.tokensAfter)} with the candidates pruned`,
    `  cacheable prefix: the first ${count(prefix.blocks, 'block')}, ${number(prefix.tokens)} tokens`,
    ...candidates.map(({ line, label, tokens }) => `  line ${line}: ${label}, ${number(tokens)} tokens`),
    '',
    'Rule sets on this request:',
    ...report.ruleSets.map(
      row =>
        `  ${row.ruleSet.padEnd(widest)}  ${count(row.candidates, 'candidate')}, ${number(row.tokensFreed)} tokens` +
        (row.executes ? netWords(row.net) : ', not executed'),
    ),
    ...(copy === null ? [] : ['', copySentence(copy, candidates.length)]),
  ];
  return `${lines.join('\n')}\n`;
}

/** What the prune costs once, when it has paid for itself, and what it gained in this session. */
function netWords({ tokensRewritten, worth }: PruneNet): string {
  const rewritten = `; ${number(tokensRewritten)} written again`;
  if (worth === undefined) {
    return `${rewritten}, prices unknown`;
  }
  const pays =
    worth.breakEven === undefined
      ? 'never pays for itself'
      : `pays for itself after ${count(worth.breakEven, 'request')}`;
  return `${rewritten}, ${pays}, ${money(Math.abs(worth.gained.money))} ${worth.gained.money < 0 ? 'lost' : 'gained'} by the session's end`;
}

function copySentence(copy: NonNullable<PruneCommandReport['copy']>, candidates: number): string {
  const left = candidates - copy.pruned;
  return (
    `Written to ${copy.path}: ${count(copy.pruned, 'result')} pruned, ` +
    (copy.redacted ? 'credentials taken out.' : 'credentials left in.') +
    (left === 0
      ? ''
      : ` ${count(left, 'result')} stayed: more than text stands in ${left === 1 ? 'it' : 'them'}.`)
  );
}
