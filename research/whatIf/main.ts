import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { formatExactShare, formatMoney } from '../../src/core/base/format';
import { loadTokenizer } from '../../src/core/tokens/bytePairTokenizer';
import { readSetting } from '../../src/core/whatIf/settings';
import { type VariedAgent, variedAgents, type Variation } from './agents';
import { ledgerTools } from './ledgerServer';
import { type FinishedRun, runScript, type Script, whatIfOf } from './runs';

const scripts: readonly Script[] = [
  { name: 'short', reads: [4, 3, 4, 2], lines: 330, pauses: [0, 1, 7, 2] },
  { name: 'long', reads: [2, 4, 3, 3, 4, 2], lines: 260, pauses: [0, 9, 1, 25, 3, 50] },
  { name: 'prune', reads: [4, 3, 3, 2, 2], lines: 900, pauses: [0, 1, 2, 7, 1], isServed: true },
];

const variations = {
  base: {},
  hour: { environment: { ENABLE_PROMPT_CACHING_1H: '1' } },
  memory: { memoryTokens: 2200 },
  // Otherwise Claude Code sends only the names of most tools.
  allTools: { environment: { ENABLE_TOOL_SEARCH: 'false' } },
  server: { server: true, environment: { ENABLE_TOOL_SEARCH: 'false' } },
  compactLate: { compacts: 'late' },
  compactEarly: { compacts: 'early' },
  deferred: { server: true, environment: { ENABLE_TOOL_SEARCH: 'true' } },
  noMemory: { memoryTokens: 0 },
  otherModel: { model: 'gpt-5.4' },
  haiku: { model: 'claude-haiku-4-5' },
  marksAll: { marksAll: true },
  thought: { thinks: true },
  thoughtKept: { thinks: 'kept' },
  prune40: { prune: 40_000 },
  prune20: { prune: 20_000 },
} as const satisfies Readonly<Record<string, Variation>>;
type VariationName = keyof typeof variations;

/** The runs that are made: agent, script, and what is varied. */
const plan: readonly {
  readonly agent: (typeof variedAgents)[number]['name'];
  readonly script: string;
  readonly names: readonly VariationName[];
}[] = [
  {
    agent: 'claude',
    script: 'short',
    names: [
      ...(['base', 'hour', 'memory', 'allTools', 'server', 'compactLate', 'compactEarly'] as const),
      ...(['deferred', 'noMemory', 'haiku', 'marksAll'] as const),
    ],
  },
  {
    agent: 'codex',
    script: 'short',
    names: ['base', 'memory', 'compactLate', 'compactEarly', 'noMemory', 'otherModel'],
  },
  { agent: 'opencode', script: 'prune', names: ['base', 'prune40', 'prune20'] },
  {
    agent: 'claude',
    script: 'long',
    names: [
      ...(['base', 'hour', 'memory', 'allTools', 'server', 'compactLate', 'compactEarly'] as const),
      ...(['deferred', 'noMemory', 'haiku', 'marksAll'] as const),
    ],
  },
  { agent: 'codex', script: 'long', names: ['base', 'memory', 'compactLate', 'compactEarly'] },
  {
    agent: 'opencode',
    script: 'short',
    names: [
      ...(['base', 'compactLate', 'compactEarly', 'allTools', 'server'] as const),
      ...(['noMemory', 'otherModel', 'thought', 'thoughtKept'] as const),
    ],
  },
];

/** A prediction: from the run with one setting to that with another. */
interface Pair {
  readonly from: VariationName;
  readonly to: VariationName;
  readonly setting: string;
  /** Two runs whose difference is not part of the setting; it is taken off the truth. */
  readonly less?: Pick<Pair, 'from' | 'to'>;
}

/** Every pair that two runs of an agent and a script allow, in both directions. */
function pairsOf(
  { name, compactAt, memoryFile, reserve }: VariedAgent,
  serverTokens: number,
): readonly Pair[] {
  const compact = (at: 'late' | 'early'): string => `compaction=${compactAt[at] - reserve}`;
  return [
    { from: 'base', to: 'hour', setting: 'lifetime=1h' },
    { from: 'hour', to: 'base', setting: 'lifetime=5m' },
    { from: 'base', to: 'memory', setting: 'start=+2000' },
    { from: 'memory', to: 'base', setting: 'start=-2000' },
    { from: 'allTools', to: 'server', setting: `start=+${serverTokens}` },
    {
      from: 'server',
      to: 'allTools',
      setting: name === 'claude' ? 'without-server=ledger' : `start=-${serverTokens}`,
    },
    { from: 'compactLate', to: 'compactEarly', setting: compact('early') },
    { from: 'compactEarly', to: 'compactLate', setting: compact('late') },
    { from: 'compactLate', to: 'base', setting: 'compaction=off' },
    { from: 'compactEarly', to: 'base', setting: 'compaction=off' },
    { from: 'base', to: 'noMemory', setting: `without-memory=${memoryFile}` },
    { from: 'memory', to: 'noMemory', setting: `without-memory=${memoryFile}` },
    { from: 'base', to: 'haiku', setting: 'model=claude-haiku-4-5' },
    { from: 'haiku', to: 'base', setting: 'model=claude-sonnet-4-5' },
    { from: 'base', to: 'otherModel', setting: 'model=gpt-5.4' },
    { from: 'otherModel', to: 'base', setting: 'model=gpt-5.5' },
    // The same switch holds back the agent's own tools, as it does without a server.
    {
      from: 'server',
      to: 'deferred',
      setting: 'tools=deferred',
      less: { from: 'allTools', to: 'base' },
    },
    { from: 'base', to: 'marksAll', setting: 'breakpoints=best' },
    { from: 'thoughtKept', to: 'thought', setting: 'thinking=none' },
    { from: 'base', to: 'prune40', setting: 'prune=opencode' },
    { from: 'prune40', to: 'base', setting: 'prune=off' },
    { from: 'base', to: 'prune20', setting: 'prune=opencode,protect=20000' },
    { from: 'prune20', to: 'base', setting: 'prune=off' },
    { from: 'prune40', to: 'prune20', setting: 'prune=opencode,protect=20000' },
    { from: 'prune20', to: 'prune40', setting: 'prune=opencode,protect=40000' },
  ];
}

interface Outcome {
  readonly agent: string;
  readonly script: string;
  readonly pair: Pair;
  readonly predicted: number;
  readonly low: number;
  readonly high: number;
  readonly truth: number;
  /** US dollars of the first run. */
  readonly whole: number;
}

/**
 * Runs real agents in pairs in which one setting differs, against a scripted model with a simulated prefix cache, and
 * compares what `what-if` predicts from the first run with the usage of the second. Runs that are there from before are
 * used again. Words choose agents, scripts and variations. `--make` makes runs alone, `--made` makes none; `--write` writes docs/what-if.md.
 */
export async function measureWhatIf(given: readonly string[]): Promise<void> {
  const words = given.filter(word => !word.startsWith('--'));
  const tokenizer = await loadTokenizer('o200k_base');
  const serverTokens = ledgerTools.reduce((sum, tool) => sum + tokenizer.count(JSON.stringify(tool)), 0);
  const outcomes: Outcome[] = [];
  const failures: string[] = [];
  for (const { agent: name, script: scriptName, names } of plan) {
    const agent = variedAgents.find(known => known.name === name);
    const script = scripts.find(known => known.name === scriptName);
    if (agent === undefined || script === undefined) {
      continue;
    }
    const runs = new Map<VariationName, FinishedRun>();
    for (const variation of names) {
      const label = `${name}-${scriptName}-${variation}`;
      if (!words.every(word => label.includes(word))) {
        continue;
      }
      const started = Date.now();
      const folder = resolve('.vscode-test', 'what-if-runs', label);
      if (given.includes('--made') && !existsSync(join(folder, 'offsets.json'))) {
        continue;
      }
      try {
        runs.set(variation, await runScript(agent, variations[variation], script, folder));
      } catch (error) {
        failures.push(`${label}: ${error instanceof Error ? error.message : String(error)}`);
        console.log(failures.at(-1));
      }
      if (given.includes('--make')) {
        console.log(label, Math.round((Date.now() - started) / 1000), 's');
      }
      if (given.includes('--show')) {
        show(label, runs.get(variation));
      }
    }
    for (const pair of pairsOf(agent, serverTokens)) {
      const [from, to] = [runs.get(pair.from), runs.get(pair.to)];
      if (from === undefined || to === undefined || given.includes('--make')) {
        continue;
      }
      const taken =
        pair.less === undefined ? 0 : costBetween(runs.get(pair.less.from), runs.get(pair.less.to));
      if (taken === undefined) {
        continue;
      }
      const outcome = compare(from, to, pair, taken);
      if (typeof outcome === 'string') {
        failures.push(`${name} ${scriptName} ${pair.setting}: ${outcome}`);
      } else {
        outcomes.push({ agent: name, script: scriptName, pair, ...outcome });
      }
    }
  }
  if (!given.includes('--make')) {
    const text = report(outcomes, failures);
    console.log(text);
    if (given.includes('--write')) {
      write(text);
    }
  }
}

function show(label: string, run: FinishedRun | undefined): void {
  const requests = run?.session.columns.requests;
  console.log(label, run?.session.compactions);
  requests?.thread.forEach((_, request) => {
    console.log(
      request,
      requests.input[request],
      requests.cacheRead[request],
      requests.cacheWrite[request],
      requests.output[request],
      Math.round(((requests.timestamp[request] ?? 0) - (requests.timestamp[0] ?? 0)) / 1000),
    );
  });
}

function compare(from: FinishedRun, to: FinishedRun, { setting, ...pair }: Pair, taken: number) {
  const chosen = readSetting(setting);
  if (isUnpruned(pair.from, from) || isUnpruned(pair.to, to)) {
    return 'The agent has pruned nothing in the run that was meant to.';
  }
  if (chosen === undefined) {
    return 'no such setting';
  }
  const predicted = whatIfOf(from).with([chosen]);
  const second = whatIfOf(to).with([]);
  if (predicted.kind === 'untold' || second.kind === 'untold') {
    return predicted.kind === 'untold' && predicted.reason.kind === 'setting'
      ? predicted.reason.sentence
      : 'no usage';
  }
  const { value, low, high } = predicted.money;
  const whole = predicted.recorded.money;
  return { predicted: value, low, high, truth: second.recorded.money - whole - taken, whole };
}

/** The cost of a run less that of another, in US dollars. */
function costBetween(from: FinishedRun | undefined, to: FinishedRun | undefined): number | undefined {
  const [one, other] = [from, to].map(run => run && whatIfOf(run).with([]));
  return one?.kind === 'told' && other?.kind === 'told'
    ? other.recorded.money - one.recorded.money
    : undefined;
}

/** True for a run with pruning in which nothing was pruned. */
function isUnpruned(name: VariationName, { session }: FinishedRun): boolean {
  const { prune }: Variation = variations[name];
  return prune !== undefined && session.compactions.every(({ kind }) => kind !== 'clearing');
}

/** The middle of some values; of an even number, the upper one. */
const median = (values: readonly number[]): number =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;

const errorOf = ({ predicted, truth }: Outcome): number =>
  truth === 0 ? Number(predicted !== 0) : Math.abs(predicted - truth) / Math.abs(truth);

const isCovered = ({ low, high, truth }: Outcome): boolean => truth >= low && truth <= high;

function report(outcomes: readonly Outcome[], failures: readonly string[]): string {
  const right = outcomes.filter(({ predicted, truth }) => Math.sign(predicted) === Math.sign(truth)).length;
  const covered = outcomes.filter(isCovered).length;
  return [
    `${outcomes.length} pairs: sign right in ${right}, median error of the difference ${formatExactShare(median(outcomes.map(errorOf)))}, of the whole cost ${formatExactShare(median(outcomes.map(({ predicted, truth, whole }) => Math.abs(predicted - truth) / (whole + truth))))}, the interval holds the truth in ${covered} (${formatExactShare(covered / Math.max(1, outcomes.length))}).`,
    '',
    '| Agent | Script | Setting | From – to | Predicted | Interval | True | Error |',
    '| --- | --- | --- | --- | --- | --- | --- | --- |',
    ...outcomes.map(outcome => {
      const { agent, script, pair, predicted, low, high, truth } = outcome;
      const cells = [
        agent,
        script,
        `\`${pair.setting}\``,
        `${pair.from} – ${pair.to}`,
        money(predicted),
        `${money(low)} to ${money(high)}${isCovered(outcome) ? '' : ' (missed)'}`,
        money(truth),
        formatExactShare(errorOf(outcome)),
      ];
      return `| ${cells.join(' | ')} |`;
    }),
    ...(failures.length === 0 ? [] : ['', 'Not compared:', '', ...failures.map(failure => `- ${failure}`)]),
  ].join('\n');
}

const money = (value: number): string => `${value < 0 ? '−' : '+'}${formatMoney(Math.abs(value))}`;

const [begin, end] = ['<!-- measured -->', '<!-- end of measured -->'];

function write(text: string): void {
  const path = join('docs', 'what-if.md');
  const before = readFileSync(path, 'utf8');
  const head = before.slice(0, before.indexOf(begin) + begin.length);
  writeFileSync(path, `${head}\n${text}\n${before.slice(before.indexOf(end))}`);
}
