import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { getEncoding } from 'js-tiktoken';
import { parseJson } from '../../../src/core/base/json';
import { contextStatus } from '../../../src/core/contextTools/contextStatus';
import { forecast } from '../../../src/core/contextTools/forecast';
import { wasSeen } from '../../../src/core/contextTools/wasSeen';
import { whatFillsContext } from '../../../src/core/contextTools/whatFillsContext';
import { whatWasDropped } from '../../../src/core/contextTools/whatWasDropped';
import { whyCacheLost } from '../../../src/core/contextTools/whyCacheLost';
import { worthALook } from '../../../src/core/contextTools/worthALook';
import {
  commandIn,
  openRun,
  pathIn,
  type RunTranscript,
  type SentCall,
  type SentRequest,
  sentRequestsOf,
  textsOf,
  transcriptOf,
} from '../../fixtures/serverRuns';
import { skipWithout } from '../../fixtures/sharedFiles';
import { someOf } from '../../fixtures/variants';

// Asks the context tools about runs of agents, and compares the answers with what a server received.

interface AgentRun {
  readonly name: string;
  readonly transcript: RegExp;
  /** By step of the script: the cause that the answer has to name, at least among the possible ones. */
  readonly causes?: Readonly<Record<string, RegExp>>;
  /** Parts of the answer that were sent as system text, beside the system prompt and the tools. */
  readonly systemParts?: RegExp;
  /** True if the forecast is asked after each reply: a transcript of lines that can be cut there. */
  readonly isCut?: boolean;
}

const otherModel = /^different model/;

const runs: readonly AgentRun[] = [
  {
    name: 'agent-runs-3/codex/0.171.0/rich-gpt-5.5',
    transcript: /rollout/,
    systemParts: /^ {2}(?:Reminders and hooks|Skills, plugins and commands): ([\d,]+)/,
    // The pause was one of the server's clock only: the transcript cannot show it.
    causes: { 'J6 0': /dropped or not found by the provider/, 'J9 0': otherModel },
    isCut: true,
  },
  {
    name: 'agent-runs-3/pi-coding-agent/1.5.2/rich',
    transcript: /sessions/,
    causes: { 'J6 0': /^idle too long/, 'J7 0': /^system text changed/, 'J9 0': otherModel },
    isCut: true,
  },
  {
    name: 'agent-runs-3/gemini-cli/0.61.0/rich-mcp',
    transcript: /02-06-277/,
    causes: {
      'J6 0': /idle too long/,
      'J7 0': /^earlier messages changed/,
      'J8 0': /tools added/,
      'J9 0': otherModel,
    },
    isCut: true,
  },
  {
    name: 'agent-runs-3/opencode/1.18.33/skill-flip',
    transcript: /opencode\.db$/,
    causes: { 'J2 0': /unrecorded prompt or tools/, 'J3 0': /unrecorded prompt or tools/ },
  },
  { name: 'agent-runs-3/grok-build/1.0.41/rich-mcp', transcript: /7132-b6fd.*chat_history\.jsonl$/ },
  {
    name: 'agent-runs/claude-code/2.1.330/compact-manual',
    transcript: /projects/,
    causes: { 'A6 0': /compaction/ },
    isCut: true,
  },
  {
    name: 'agent-runs/claude-code/2.1.330/rich',
    transcript: /9747-96dd3e16e7ca\.jsonl/,
    isCut: true,
  },
  { name: 'agent-runs/codex/0.169.0/compact-auto', transcript: /rollout/, isCut: true },
  { name: 'agent-runs/opencode/1.18.34/summary-boundary', transcript: /opencode\.db/ },
  { name: 'agent-runs/opencode/1.18.34/far-over', transcript: /opencode\.db/ },
];

const encoding = getEncoding('o200k_base');
const counted = new Map<string, number>();
function tokensOf(text: string): number {
  const tokens = counted.get(text) ?? encoding.encode(text, 'all').length;
  counted.set(text, tokens);
  return tokens;
}

const numberOf = (text = ''): number => Number(text.replaceAll(',', ''));

/** The figures that a pattern captures in the first line that it matches. */
function figures(lines: readonly string[], pattern: RegExp): readonly number[] {
  const [, ...found] = lines.map(line => pattern.exec(line)).find(match => match !== null) ?? [];
  return found.map(numberOf);
}

/** Questions with their answers, and the errors of the figures, by tool. */
class Score {
  private readonly asked = new Map<string, number>();
  readonly wrong: string[] = [];
  private readonly errors = new Map<string, number[]>();

  ask(tool: string, question: string, isRight: boolean, answer: unknown): void {
    this.asked.set(tool, (this.asked.get(tool) ?? 0) + 1);
    if (!isRight) {
      this.wrong.push(`${tool}, ${question}: ${String(answer)}`);
    }
  }

  /** Notes the error of a figure, relative to the larger one, and returns it. */
  error(figure: string, answered: number, real: number): number {
    const error = Math.abs(answered - real) / Math.max(1, answered, real);
    this.errors.set(figure, [...(this.errors.get(figure) ?? []), error]);
    return error;
  }

  lines(): readonly string[] {
    const percent = (share = 0): string => `${(100 * share).toFixed(2)} %`;
    return [
      ...[...this.asked].map(([tool, count]) => {
        const wrong = this.wrong.filter(each => each.startsWith(`${tool},`)).length;
        return `${tool}: ${count - wrong} of ${count} right`;
      }),
      ...[...this.errors].map(([figure, errors]) => {
        const sorted = errors.toSorted((one, other) => one - other);
        const at = (share: number): string => percent(sorted[Math.ceil(share * sorted.length) - 1]);
        return `${figure}: ${sorted.length} figures, median error ${at(0.5)}, 90th percentile ${at(0.9)}, most ${at(1)}`;
      }),
    ];
  }
}

const score = new Score();

/** A run whose transcript is open. */
interface OpenRun extends RunTranscript {
  readonly run: AgentRun;
  /** What the server received. */
  readonly sent: readonly SentRequest[];
  /** The received ones that are the transcript's requests, by their place in the conversation, found by their size. */
  readonly main: readonly (SentRequest | undefined)[];
  readonly newest: SentRequest;
}

async function mainRequests(
  { session, ask }: RunTranscript,
  sent: readonly SentRequest[],
): Promise<readonly (SentRequest | undefined)[]> {
  const main: (SentRequest | undefined)[] = [];
  let from = 0;
  const count = session.transcript.requests.filter(({ thread }) => thread === 0).length;
  for (let request = 1; request <= count; request += 1) {
    const [total] = figures(await ask(whatFillsContext, { request, depth: 1 }), /^All: ([\d,]+)/);
    const found = sent.findIndex((each, index) => index >= from && each.total === total);
    main.push(sent[found]);
    from = found < 0 ? from : found + 1;
  }
  return main;
}

async function askStatus({ run, ask, newest }: OpenRun): Promise<void> {
  const answer = await ask(contextStatus);
  const [total] = figures(answer, /^Context: .*?([\d,]+) tokens \(/);
  const [stated] = figures(answer, /\(estimated ±(\d+) %\)/);
  const error = score.error('context_status, tokens', total ?? 0, newest.total);
  score.ask(
    'context_status',
    `${run.name}, tokens`,
    error <= (stated ?? 0) / 100,
    `${total}, not ${newest.total}`,
  );
  const isUnknown = answer.includes('The use of the cache is not recorded.');
  const [cached] = figures(answer, /^Cached: ([\d,]+) of/);
  score.ask(
    'context_status',
    `${run.name}, cached tokens`,
    isUnknown ? stated !== undefined : cached === newest.read,
    `${cached}, not ${newest.read}`,
  );
}

async function askFill({ run, ask, newest, main }: OpenRun): Promise<void> {
  const answer = await ask(whatFillsContext, { depth: 4 });
  const isRecorded = main.at(-1) !== undefined;
  if (isRecorded) {
    const [total] = figures(answer, /^All: ([\d,]+)/);
    score.ask(
      'what_fills_context',
      `${run.name}, total`,
      total === newest.total,
      `${total}, not ${newest.total}`,
    );
  }
  if (newest.fixed === undefined) {
    return;
  }
  // The server counted real tokens.
  const [unrecorded = 0] = figures(answer, /^ {2}Not recorded: ([\d,]+)/);
  const [system = 0] = figures(answer, /^ {2}System prompt: ([\d,]+)/);
  const schemas = answer.flatMap(line => /^ {6}Schema: ([\d,]+)/.exec(line)?.[1] ?? []).map(numberOf);
  const { systemParts } = run;
  const others = answer.flatMap(line => systemParts?.exec(line)?.[1] ?? []).map(numberOf);
  const fixed = [...schemas, ...others].reduce((sum, each) => sum + each, unrecorded + system);
  score.error('what_fills_context, tools and system text', fixed, newest.fixed);
  score.ask(
    'what_fills_context',
    `${run.name}, tools and system text`,
    Math.abs(fixed - newest.fixed) <= 0.02 * newest.total,
    `${fixed}, not ${newest.fixed}`,
  );
  const calls = [...newest.calls.values()];
  for (const line of answer) {
    const [, command = '', figure] = /^ {6}(.+): ([\d,]+) \(/.exec(line) ?? [];
    const own = command === '' ? [] : calls.filter(({ input }) => commandIn(input) === command);
    const real = own.reduce(
      (sum, { result = '', input }) => sum + tokensOf(result) + tokensOf(JSON.stringify(input)),
      0,
    );
    if (own.length > 0 && real >= 500) {
      const error = score.error('what_fills_context, a command', numberOf(figure), real);
      score.ask('what_fills_context', `${run.name}, ${command}`, error <= 0.25, `${figure}, not ${real}`);
    }
  }
}

/** A line without its number. */
const withoutNumber = (line: string): string => line.replace(/^\s*\d+(?:→|\t|:|\|) ?/, '').trim();

/** Long lines of a text, by which it is recognised. */
function probesOf(text: string): readonly string[] {
  return text
    .split('\n')
    .map(withoutNumber)
    .filter(line => line.length >= 12 && !line.includes('<'))
    .toSorted((one, other) => other.length - one.length)
    .slice(0, 4);
}

const editTools = /^(?:edit|replace|search_replace|apply_patch|write)$/i;

function readPath({ name, input }: SentCall): string | undefined {
  return /^read(?:_file)?$/i.test(name)
    ? pathIn(input)
    : /^cat ([\w./-]+)$/.exec(commandIn(input) ?? '')?.[1];
}

function isEditOf({ name, input, result = '' }: SentCall, path: string): boolean {
  const edited = typeof input === 'string' ? /^\*\*\* Update File: (.+)$/m.exec(input)?.[1] : pathIn(input);
  return (
    editTools.test(name) &&
    edited !== undefined &&
    (edited === path || edited.endsWith(`/${path}`) || path.endsWith(`/${edited}`)) &&
    !/^Error|not found|no such text|unavailable/i.test(result)
  );
}

async function askSeen({ run, ask, sent, newest }: OpenRun): Promise<void> {
  const own = sent.filter(({ step }) => !/[ST] \d/.test(step));
  const calls = new Map<string, SentCall>();
  for (const [id, call] of own.flatMap(each => [...each.calls])) {
    calls.set(id, calls.get(id) ?? call);
  }
  const all = [...calls];
  const paths = new Set(
    all.flatMap(([, call]) => readPath(call) ?? []).filter(path => !path.endsWith('.png')),
  );
  for (const path of paths) {
    const readings = all.filter(
      ([, call]) =>
        readPath(call) === path && !/no such file|not found|does not exist/i.test(call.result ?? ''),
    );
    const first = await ask(wasSeen, { file: path });
    if (readings.length === 0) {
      score.ask(
        'was_seen',
        `${run.name}, ${path}, which does not exist`,
        first[0]?.startsWith('Never') === true,
        first[0],
      );
      continue;
    }
    const isThere = ([id, { result = '' }]: readonly [string, SentCall]): boolean => {
      const text = newest.calls.get(id)?.result;
      return text !== undefined && probesOf(result).every(probe => text.includes(probe));
    };
    const there = readings.filter(isThere);
    const says = first[0]?.startsWith('In the context') === true;
    score.ask('was_seen', `${run.name}, ${path}`, says === there.length > 0, first[0]);
    const numbers = there.flatMap(([, { result = '' }]) =>
      result.split('\n').flatMap(line => /^\s*(\d+)(?:→|\t|:|\|)/.exec(line)?.[1] ?? []),
    );
    const known = new Set(numbers.map(Number));
    const start = Math.min(...known, ...(known.size === 0 ? [1] : []));
    const end = Math.min(start + 2, Math.max(start, ...known));
    const [lines = ''] = await ask(wasSeen, { file: path, lines: `${start}-${end}` });
    score.ask('was_seen', `${run.name}, ${path}, lines`, lines.startsWith('Yes') === there.length > 0, lines);
    const beyond = Math.max(0, ...known) + 100_000;
    const [others = ''] = await ask(wasSeen, { file: path, lines: `${beyond}-${beyond + 9}` });
    score.ask('was_seen', `${run.name}, ${path}, lines that it has not`, !others.startsWith('Yes'), others);
    const edit = all.findIndex(([, call]) => isEditOf(call, path));
    const last = Math.max(...there.map(reading => all.indexOf(reading)));
    if (there.length > 0) {
      score.ask(
        'was_seen',
        `${run.name}, ${path}, edited since`,
        lines.includes('was edited after') === edit > last,
        lines,
      );
    }
  }
  for (const path of ['src/never_written.py', 'docs/ledger.md', 'config.py.orig']) {
    const [answer = ''] = await ask(wasSeen, { file: path });
    score.ask('was_seen', `${run.name}, ${path}, never touched`, answer === 'Never seen.', answer);
  }
}

function occurrences(text: string, part: string): number {
  return text.split(part).length - 1;
}

async function askDropped({ run, ask, main, sent }: OpenRun): Promise<void> {
  for (let compaction = 1; ; compaction += 1) {
    const answer = await ask(whatWasDropped, { compaction });
    const [from, to] = figures(answer, /between request (\d+) .*? and (\d+) /);
    if (from === undefined || to === undefined) {
      return;
    }
    const after = main[to - 1];
    const name = `${run.name}, ${compaction}`;
    assert.ok(after !== undefined, name);
    const earlier = sent.slice(0, sent.indexOf(after)).filter(each => main.includes(each));
    const before = earlier.findLast(({ isSummarising }) => !isSummarising);
    assert.ok(before !== undefined, name);
    score.ask(
      'what_was_dropped',
      `${name}, request before`,
      (main[from - 1]?.total ?? 0) >= before.total,
      `${from}, not ${main.indexOf(before) + 1}`,
    );
    const textBefore = earlier
      .slice(earlier.indexOf(before))
      .flatMap(({ texts }) => texts)
      .join('\n');
    const textAfter = after.texts.join('\n');
    const listed: string[] = [];
    for (const line of answer) {
      const [, block] = /^block (\d+): /.exec(line) ?? [];
      if (block === undefined) {
        continue;
      }
      const text = (await ask(whatWasDropped, { block: Number(block) })).join('\n');
      listed.push(text);
      const parsed = parseJson(text);
      const [longest = ''] = (parsed === undefined ? text.split('\n') : textsOf(parsed))
        .map(part => part.trim())
        .toSorted((one, other) => other.length - one.length);
      if (longest.length >= 16) {
        // The notice of a cleared result may show some of its lines.
        const part = textBefore.includes(text) ? text : longest;
        const isGone = occurrences(textBefore, part) > occurrences(textAfter, part);
        score.ask('what_was_dropped', `${name}, ${line}`, isGone, 'is still there');
      }
    }
    const all = listed.join('\n');
    const missing = before.texts.filter(
      text =>
        text.length > 2000 &&
        !probesOf(text).some(probe => textAfter.includes(probe)) &&
        !probesOf(text).every(probe => all.includes(probe)),
    );
    score.ask(
      'what_was_dropped',
      `${name}, nothing large is missing`,
      missing.length === 0,
      missing.map(text => text.slice(0, 60)).join(' | '),
    );
  }
}

/** Tokens that a request before should have left for one with its model. */
function readableFor(main: OpenRun['main'], index: number): number {
  const earlier = main.slice(0, index);
  const { model } = main[index] ?? {};
  return (earlier.findLast(each => each?.model === model) ?? earlier.at(-1))?.left ?? 0;
}

/** False for images and signatures. */
const isText = (text: string): boolean => text.length < 200 || /\s/.test(text);

/** Tokens of the pieces that a request has in common with the one before, in the server's tokens. */
function repeatedTokens(
  before: SentRequest,
  after: SentRequest,
  piecesOf: (text: string) => readonly string[],
): number {
  const left = new Map<string, number>();
  for (const piece of before.texts.flatMap(piecesOf)) {
    left.set(piece, (left.get(piece) ?? 0) + 1);
  }
  let repeated = 0;
  let all = 0;
  for (const piece of after.texts.filter(isText).flatMap(piecesOf)) {
    const tokens = tokensOf(piece);
    all += tokens;
    const count = left.get(piece) ?? 0;
    repeated += count > 0 ? tokens : 0;
    left.set(piece, count - 1);
  }
  return (repeated / Math.max(1, all)) * after.total;
}

interface Loss {
  readonly causes: string;
  readonly others: string;
  readonly lost: number;
  readonly read: number;
  readonly readable: number;
}

function lossesIn(answer: readonly string[]): ReadonlyMap<number, Loss> {
  const losses = new Map<number, Loss>();
  answer.forEach((line, index) => {
    const [, request, causes = '', lost] =
      /^Request (\d+): (.*): ([\d,]+) tokens paid again/.exec(line) ?? [];
    if (request !== undefined) {
      const end = answer.findIndex((each, at) => at > index && !each.startsWith('  '));
      const facts = answer.slice(index + 1, end < 0 ? undefined : end);
      const [read = -1, readable = -1] = figures(facts, /read ([\d,]+) of ([\d,]+) available/);
      const others = facts.find(fact => /^ {2}also possible/.test(fact)) ?? '';
      losses.set(Number(request), { causes, others, lost: numberOf(lost), read, readable });
    }
  });
  return losses;
}

/** A smaller loss need not be listed: caches are read in steps. */
const clearLoss = 1024;

async function askLosses({ run, ask, main }: OpenRun): Promise<void> {
  const answer = await ask(whyCacheLost);
  const losses = lossesIn(answer);
  if (main.every(each => each === undefined)) {
    const says = answer.join(' ');
    score.ask('why_cache_lost', `${run.name}, not recorded`, says.includes('not recorded'), says);
    return;
  }
  for (const [index, request] of main.entries()) {
    const before = main[index - 1];
    if (request === undefined || before === undefined) {
      continue;
    }
    const readable = readableFor(main, index);
    const loss = losses.get(index + 1);
    const name = `${run.name}, request ${index + 1}, ${request.step}`;
    if (readable - request.read < clearLoss && loss === undefined) {
      continue;
    }
    score.ask(
      'why_cache_lost',
      `${name}, lost`,
      loss !== undefined && readable > request.read,
      `${readable - request.read} lost`,
    );
    if (loss === undefined) {
      continue;
    }
    score.ask(
      'why_cache_lost',
      `${name}, available tokens`,
      loss.read === request.read &&
        Math.abs(loss.readable - readable) <= 128 &&
        loss.lost <= readable - request.read,
      `${loss.lost} of ${loss.readable}, not ${readable - request.read} of ${readable}`,
    );
    if (request.prefix !== undefined) {
      // If the request does not continue the one before, a changed text counts as new, or only its changed lines do.
      const repeated =
        request.prefix >= readable - 128
          ? [readable]
          : [
              repeatedTokens(before, request, text => [text]),
              repeatedTokens(before, request, text => text.split('\n').map(line => `${line}\n`)),
            ];
      const bounds = repeated.map(tokens => Math.min(readable, tokens) - request.read);
      const real = Math.max(Math.min(...bounds), Math.min(Math.max(...bounds), loss.lost));
      score.error('why_cache_lost, tokens', loss.lost, real);
      const isRight = Math.abs(loss.lost - real) <= Math.max(128, 0.02 * readable);
      score.ask(
        'why_cache_lost',
        `${name}, tokens`,
        isRight,
        `${loss.lost}, not ${bounds.map(Math.round).join('–')}`,
      );
    }
    const cause = run.causes?.[request.step];
    if (cause !== undefined) {
      const isNamed = cause.test(loss.causes) || (!cause.source.startsWith('^') && cause.test(loss.others));
      score.ask('why_cache_lost', `${name}, cause`, isNamed, `${loss.causes} ${loss.others}`);
    }
  }
  const found = (await ask(worthALook)).flatMap(
    line => /^(?:Cache lost|Compacted|Results pruned) at request (\d+)/.exec(line)?.[1] ?? [],
  );
  const dearest = [...losses.keys()][0];
  const agrees = found.every(request => losses.has(Number(request)));
  const isComplete = dearest === undefined || found.includes(`${dearest}`);
  score.ask('worth_a_look', `${run.name}, losses`, agrees && isComplete, found.join());
}

/** Asks for a forecast after each reply, and compares it with the request that came then. */
async function askForecast({ run, session, main }: OpenRun): Promise<void> {
  const { path, bytes } = transcriptOf(run.name, run.transcript);
  const { requests, blocks } = session.transcript;
  const own = requests.filter(({ thread }) => thread === 0);
  for (const [index, { reply }] of someOf([...own.entries()], 4)) {
    const [before, after] = [main[index], main[index + 1]];
    const next = (reply.at(-1) ?? -1) + 1;
    const end = next === 0 || next >= blocks.length ? undefined : blocks.at(next)?.source.offset;
    if (before === undefined || after === undefined || end === undefined) {
      continue;
    }
    const cut = await openRun(path, bytes.subarray(0, end), own[index + 1]?.timestamp ?? after.time);
    const answer = (await cut?.ask(forecast)) ?? [];
    const [tokens, readable] = figures(
      answer,
      /about ([\d,]+) tokens of input, of which ([\d,]+) can be read/,
    );
    if (tokens === undefined || readable === undefined || Math.abs(tokens - before.total) > 2000) {
      continue;
    }
    const isCold = answer.some(line => line.startsWith('The cache probably expired'));
    const predicted = isCold ? 0 : readable;
    const error = score.error('forecast, readable tokens, all', predicted, after.read);
    // What breaks a cache comes with the next request: the transcript cannot show it before.
    if (before.left - after.read < clearLoss || isCold) {
      score.error('forecast, readable tokens, without the losses', predicted, after.read);
      const isRight = error <= 0.05 || Math.abs(predicted - after.read) <= 128;
      score.ask('forecast', `${run.name}, after ${before.step}`, isRight, `${predicted}, not ${after.read}`);
    }
  }
}

describe('the context tools beside what models received', { skip: skipWithout('agent-runs-3') }, () => {
  for (const run of runs) {
    it(`answers about ${run.name}`, { skip: skipWithout(run.name) }, async () => {
      const sent = sentRequestsOf(run.name);
      const { path, bytes } = transcriptOf(run.name, run.transcript);
      const newest = sent.findLast(({ step }) => step !== '' && !/[ST] \d/.test(step));
      assert.ok(newest !== undefined);
      const opened = await openRun(path, bytes, newest.time);
      assert.ok(opened !== undefined);
      const open = { ...opened, run, sent, main: await mainRequests(opened, sent), newest };
      await askStatus(open);
      await askFill(open);
      await askSeen(open);
      await askDropped(open);
      await askLosses(open);
      if (run.isCut === true) {
        await askForecast(open);
      }
    });
  }

  it('answers all questions right', context => {
    score.lines().forEach(line => context.diagnostic(line));
    assert.deepEqual(score.wrong, []);
  });
});
