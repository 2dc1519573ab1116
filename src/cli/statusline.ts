import { closeSync, openSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { setPriority } from 'node:os';
import { basename, join } from 'node:path';
import { arrayAt, member, numberAt, objectAt, parseJson, stringAt } from '../core/base/json';
import { translate } from '../core/base/translate';
import { sourceWords } from '../core/drawing/drawingWords';
import { sources } from '../core/model/source';
import type { KnownCost } from '../core/tokens/usageFigures';
import { cacheFolder } from '../node/files/userFolders';
import { makeFolder } from '../node/files/makeFolder';
import { thisMachine } from '../node/thisMachine';
import { printHelp } from './output/ownWords';

// One line for the status line of Claude Code, which starts the program each time. So it imports almost nothing and
// does not read the transcript. The content of the context comes from a report that a low-priority process has written.

/** The part of the status line from our own report of the session. */
export interface Reported {
  /** Tokens of the context by source, the largest first. */
  readonly filledBy: readonly (readonly [name: string, tokens: number])[];
  readonly cost: KnownCost;
  /** The input of the newest request, and what is left of it if the context was changed since. */
  readonly newest?: number | undefined;
  readonly left?: number | undefined;
  readonly change?: string | undefined;
}

export const nothingReported: Reported = { filledBy: [], cost: { money: undefined, isLeast: false } };

/** Maximum number of named sources. */
const mostSources = 3;
/** Seconds after which an unfinished report counts as abandoned. */
const longestReport = 60;
const barLength = 10;

/**
 * The status line, from the input of Claude Code's status line command (https://code.claude.com/docs/en/statusline; the
 * state of the cache since 2.1.251). Contains only numbers and the program's own words. Empty if nothing is known yet.
 * @param now milliseconds since 1970
 */
export function statusLine(input: unknown, reported: Reported, now: number): string {
  const { filledBy, cost } = reported;
  const context = objectAt(input, 'context_window');
  const ownCost = numberAt(objectAt(input, 'cost'), 'total_cost_usd');
  const parts = [
    fillOf(context, reported),
    costOf(cost.money === undefined ? { money: ownCost, isLeast: false } : cost),
    cacheOf(objectAt(input, 'prompt_cache'), objectAt(context, 'current_usage'), now),
    filledBy
      .slice(0, mostSources)
      .map(([name, tokens]) => `${name} ${short(tokens)}`)
      .join(', '),
    limitsOf(objectAt(input, 'rate_limits'), now),
  ];
  return parts.filter(part => part !== '').join(' · ');
}

// The first formatter of a process takes as long as half of this program, so it writes its few numbers by itself.

/** Tokens as `128k`. */
function short(tokens: number): string {
  return tokens < 1000
    ? String(tokens)
    : tokens < 999_500
      ? `${Math.round(tokens / 1000)}k`
      : `${(tokens / 1_000_000).toFixed(1)}M`;
}

/** As `formatShare` writes it. */
function percent(share: number): string {
  const isExact = share < 0.1 || (share >= 0.995 && share < 1);
  const shown = Number((100 * share).toFixed(isExact ? 1 : 0));
  return share > 0 && share < 0.001 ? '<0.1 %' : `${share < 1 ? Math.min(shown, 99.9) : shown} %`;
}

/** As `formatMoney` writes it. */
function dollars(money: number): string {
  const isSmall = money > 0 && money < 0.0995;
  const digits = isSmall ? String(Number(money.toPrecision(2))) : money.toFixed(2);
  return `$${digits.replace(/\B(?=(?:\d{3})+\.)/g, ',')}`;
}

function costOf({ money, isLeast }: KnownCost): string {
  return money === undefined ? '' : `${isLeast ? '≥ ' : ''}${dollars(money)}`;
}

/** The used shares of the limits of a subscription; a window that has begun again is not known. */
function limitsOf(limits: unknown, now: number): string {
  const used = (name: string): number | undefined => {
    const window = objectAt(limits, name);
    return 1000 * (numberAt(window, 'resets_at') ?? Infinity) > now
      ? numberAt(window, 'used_percentage')
      : undefined;
  };
  const [hours, week] = [used('five_hour'), used('seven_day')];
  return [
    ...(hours === undefined ? [] : [translate('5 h {0} used', percent(hours / 100))]),
    ...(week === undefined ? [] : [translate('week {0} used', percent(week / 100))]),
  ].join(', ');
}

function fillOf(context: unknown, { newest, left, change }: Reported): string {
  const window = numberAt(context, 'context_window_size') ?? 0;
  const sent = inputOf(objectAt(context, 'current_usage'));
  // The agent may still name the newest request after a compaction.
  const isPast = left !== undefined && (sent === undefined || sent === newest);
  const input = isPast ? left : (sent ?? numberAt(context, 'total_input_tokens') ?? 0);
  if (window <= 0 || input <= 0) {
    return '';
  }
  const share = input / window;
  const filled = Math.min(barLength, Math.round(share * barLength));
  const bar = `${'█'.repeat(filled)}${'░'.repeat(barLength - filled)}`;
  const fill = translate('{0} {1} of {2}', bar, percent(share), short(window));
  return isPast ? `${fill}${changeWords[change ?? ''] ?? ''}` : fill;
}

const changeWords: Readonly<Record<string, string>> = {
  compaction: `, ${translate('compacted')}`,
  clearing: `, ${translate('results pruned')}`,
  rewind: `, ${translate('rewound')}`,
};

/** Input of the newest request, in tokens. */
function inputOf(usage: unknown): number | undefined {
  const tokens = ['input_tokens', 'cache_creation_input_tokens', 'cache_read_input_tokens'].flatMap(
    name => numberAt(usage, name) ?? [],
  );
  return tokens.length === 0 ? undefined : tokens.reduce((sum, count) => sum + count, 0);
}

function cacheOf(cache: unknown, usage: unknown, now: number): string {
  const input = inputOf(usage) ?? 0;
  const read = numberAt(usage, 'cache_read_input_tokens');
  const share = read === undefined || input === 0 ? [] : [translate('cached {0}', percent(read / input))];
  return [...share, ...warmthOf(cache, now)].join(', ');
}

function warmthOf(cache: unknown, now: number): readonly string[] {
  const isWarm = member(cache, 'warm');
  const seconds = (numberAt(cache, 'expires_at') ?? 0) - now / 1000;
  if (isWarm !== true && isWarm !== false) {
    return [];
  }
  if (isWarm && seconds > 0) {
    return [translate('cold in {0} min', Math.ceil(seconds / 60))];
  }
  const again = numberAt(cache, 'recache_tokens_if_cold') ?? 0;
  return [again > 0 ? translate('cold: {0} to rewrite', short(again)) : translate('cold')];
}

/** Reads the input, prints the line, and starts the next report if the transcript has grown. */
export async function runStatusline(): Promise<void> {
  const input = parseJson(readFileSync(0, 'utf8'));
  const print = (reported: Reported): void => {
    printHelp(`${statusLine(input, reported, Date.now())}\n`);
  };
  const transcript = stringAt(input, 'transcript_path');
  if (transcript === undefined) {
    print(nothingReported);
    return;
  }
  let report: StatusReportFile | undefined;
  let reported = nothingReported;
  try {
    report = new StatusReportFile(transcript);
    reported = report.read();
  } catch {
    // If the folder is not writable, the line lacks the sources.
  }
  print(reported);
  await report?.renew().catch(() => undefined);
}

/**
 * The output of `status --json` for a transcript, stored in the user's cache folder, where only the user can read it.
 */
class StatusReportFile {
  private readonly path: string;
  private readonly next: string;

  constructor(private readonly transcript: string) {
    const folder = cacheFolder(thisMachine());
    makeFolder(folder);
    this.path = join(folder, `status-${basename(transcript)}.json`);
    this.next = `${this.path}.next`;
  }

  /** The newest complete report. */
  read(): Reported {
    const next = readReport(this.next);
    if (next !== undefined) {
      renameSync(this.next, this.path);
    }
    const report = next ?? readReport(this.path);
    const filledBy = arrayAt(objectAt(report, 'newest'), 'sources').flatMap(sum => {
      const source = sources.find(name => name === stringAt(sum, 'source'));
      return source === undefined ? [] : [[sourceWords[source], numberAt(sum, 'tokens') ?? 0] as const];
    });
    const cost = { money: numberAt(report, 'cost'), isLeast: member(report, 'isLeast') === true };
    return {
      filledBy,
      cost,
      newest: numberAt(objectAt(objectAt(report, 'newest'), 'tokens'), 'value'),
      left: numberAt(objectAt(report, 'after'), 'tokens'),
      change: stringAt(objectAt(report, 'after'), 'change'),
    };
  }

  /** Starts a process that writes the next report, unless the last one is newer than the transcript. */
  async renew(): Promise<void> {
    const written = modified(this.transcript);
    const begun = modified(this.next);
    if (written === undefined || (modified(this.path) ?? 0) > written) {
      return;
    }
    if (begun !== undefined && Date.now() - begun > 1000 * longestReport) {
      rmSync(this.next, { force: true });
    } else if (begun !== undefined) {
      return;
    }
    const { spawn } = await import('node:child_process');
    const file = openSync(this.next, 'wx', 0o600);
    const words = [join(__dirname, 'cli.js'), 'status', this.transcript, '--json', '--no-findings'];
    const child = spawn(process.execPath, words, { detached: true, stdio: ['ignore', file, 'ignore'] });
    closeSync(file);
    if (child.pid !== undefined) {
      setPriority(child.pid, 10);
    }
    child.unref();
  }
}

function modified(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs;
}

/** The report in a file; undefined if the file is missing or not complete yet. */
function readReport(path: string): unknown {
  return modified(path) === undefined ? undefined : parseJson(readFileSync(path, 'utf8'));
}
