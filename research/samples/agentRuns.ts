import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { member, numberAt, objectAt, stringAt } from '../../src/core/base/json';
import type { CacheBreakCause, CacheFinding, CacheReport } from '../../src/core/cache/cacheFinding';
import { cacheQuestions } from '../../src/core/questions/cacheQuestions';
import { openTranscript } from '../../src/core/session/openTranscript';
import { RequestTokens } from '../../src/core/view/requestTokens';
import { decoderTools } from '../../src/node/databases/database';
import { siblingFilesOf } from '../../src/node/sessions/siblingFiles';
import { compareBlocks, openTranscriptBytes, readJsonLines } from '../../test/fixtures/openedTranscript';
import { rebuiltItems, sentItems } from '../../test/fixtures/sentRequests';
import { sourceOf } from '../../test/fixtures/transcriptBytes';
import { closest } from '../agents/compare';
import { table } from './tables';

/** Requests that are only about a session, such as titles: no session records them. */
const besides = new Set(['title', 'count_tokens', 'json', 'memory', 'other', 'clock']);

/** The largest distance of a boundary from the truth: a share of the request, or one step of the cache. */
const nearShare = 0.02;
const cacheStep = 128;

/** The wire order of what a change can lie in. */
const places = ['model', 'tools', 'system', 'messages'] as const;
type Place = (typeof places)[number] | 'none';

/** The places that each cause names. Only those of a pause or a lost entry say that nothing changed. */
const placesOf: Readonly<Record<CacheBreakCause, readonly Place[]>> = {
  modelChanged: ['model'],
  settingsChanged: [],
  resumed: ['tools', 'system', 'messages'],
  lifetimeExpired: ['none'],
  belowMinimum: ['none'],
  parallelRequests: ['none'],
  toolsAdded: ['tools'],
  toolsRemoved: ['tools'],
  toolsChanged: ['tools'],
  toolsReordered: ['tools'],
  systemChanged: ['system'],
  volatileValue: ['tools', 'system', 'messages'],
  unrecordedChanged: ['tools', 'system'],
  skillLoaded: ['tools', 'system'],
  compaction: ['messages'],
  cleared: ['messages'],
  reasoningDropped: ['messages'],
  historyRewritten: ['messages'],
  lookbackExceeded: ['none'],
  notWrittenYet: ['none'],
  evicted: ['none'],
  unknown: [],
};

interface Sent {
  readonly items: readonly string[];
  readonly id: string | undefined;
  readonly model: string | undefined;
  readonly truth: Record<string, unknown> | undefined;
}

/** The results for one run. */
interface RunFigures {
  readonly name: string;
  readonly sent: number;
  readonly found: number;
  /** Requests of sessions that were never sent. */
  readonly invented: number;
  readonly equalBlocks: number;
  readonly shownBlocks: number;
  readonly sentBlocks: number;
  readonly complete: number;
  readonly falselyComplete: number;
  readonly boundaries: number;
  readonly nearBoundaries: number;
  /** The error of each request's unrecorded part, as a share of the request. */
  readonly hiddenErrors: readonly number[];
  readonly causes: Readonly<Record<'right' | 'hedged' | 'wrong', number>>;
  readonly faults: readonly string[];
}

/** The figures of the run with the given log of requests, from the sessions in the folder `native` beside it. */
async function runFigures(log: string, root: string): Promise<RunFigures> {
  const sent = sentRequests(log);
  const names = new Map(sent.flatMap(request => (request.id === undefined ? [] : [[request.id, request]])));
  const figures = {
    name: relative(root, dirname(log)),
    sent: sent.length,
    invented: 0,
    equalBlocks: 0,
    shownBlocks: 0,
    sentBlocks: 0,
    complete: 0,
    falselyComplete: 0,
    boundaries: 0,
    nearBoundaries: 0,
    hiddenErrors: new Array<number>(),
    causes: { right: 0, hedged: 0, wrong: 0 },
    faults: new Array<string>(),
  };
  const found = new Set<Sent>();
  const native = unpackedCopy(dirname(log));
  for (const path of transcriptsBelow(native)) {
    const bytes = readFileSync(path);
    const options = { siblings: siblingFilesOf(path), tools: decoderTools };
    const result = await openTranscript(sourceOf(bytes), {
      ...options,
      fileName: basename(path),
      scanner: { scan: () => Promise.resolve([]) },
    });
    if (!result.ok || result.session.transcript.requests.length === 0) {
      continue;
    }
    await result.session.countTokens();
    const opened = await openTranscriptBytes(bytes, options);
    const report = await cacheQuestions(result.session).report();
    const tokens = new RequestTokens(result.session.toSession().columns);
    const originals = opened.transcript.requests.map(({ id }, index) => {
      const shown = rebuiltItems(opened, index);
      const own = id === undefined ? undefined : names.get(id);
      const unused = sent.filter(request => !found.has(request));
      const items = closest(
        shown,
        (unused.length > 0 ? unused : sent).map(request => request.items),
        [],
      );
      const original = own ?? sent.find(request => request.items === items);
      if (original === undefined) {
        figures.invented += 1;
        figures.faults.push(`${relative(native, path)} ${index}: not sent`);
        return undefined;
      }
      const isNew = !found.has(original);
      found.add(original);
      return isNew ? { ...original, shown } : undefined;
    });
    opened.transcript.requests.forEach(({ complete }, index) => {
      const original = originals[index];
      if (original === undefined) {
        return;
      }
      const say = (fault: string): number =>
        figures.faults.push(`${relative(native, path)} ${index}: ${fault}`);
      const { matched, missing, extra: differing } = compareBlocks(original.items, original.shown);
      // An empty block stands for a text that was sent and is not recorded.
      const unrecorded = missing.filter(item => item.startsWith(emptyText)).length;
      const empty = differing.filter(item => item === emptyText).slice(0, unrecorded).length;
      const extra = empty === 0 ? differing : differing.filter(item => item !== emptyText);
      figures.equalBlocks += matched;
      figures.shownBlocks += original.shown.length - empty;
      figures.sentBlocks += original.items.length;
      extra.forEach(item => say(`not sent so: ${short(item)}`));
      if (complete) {
        figures.complete += 1;
        const lacking = missing.filter(item => !isBilling(item));
        if (lacking.length > 0) {
          figures.falselyComplete += 1;
          say(`complete, but lacks ${lacking.map(short).join(' and ')}`);
        }
      }
      const { truth } = original;
      const total = numberAt(truth, 'total');
      const prefix = numberAt(truth, 'lcp');
      if (total === undefined || prefix === undefined) {
        return;
      }
      const boundary = report.boundaries[index]?.predicted;
      // The first request of a conversation continues one of another file, if any.
      if (boundary !== undefined && boundary.reason !== 'firstRequest') {
        figures.boundaries += 1;
        // After the pause, the prefix without the lifetime of the simulated cache is as good an answer.
        const distances = [prefix, ...(prefix === 0 ? [numberAt(truth, 'lcpAny') ?? 0] : [])].map(tokens =>
          Math.abs(boundary.tokens - tokens),
        );
        if (Math.min(...distances) <= Math.max(nearShare * total, cacheStep)) {
          figures.nearBoundaries += 1;
        } else {
          say(`boundary at ${boundary.tokens} (${boundary.reason}), in truth ${prefix}`);
        }
      }
      const hidden = hiddenTokens(objectAt(truth, 'by'), original.items, missing, extra);
      const error = Math.abs(tokens.notRecorded(index) - hidden) / total;
      figures.hiddenErrors.push(error);
      if (error > nearShare) {
        say(`hidden part ${tokens.notRecorded(index)}, in truth about ${Math.round(hidden)} of ${total}`);
      }
    });
    judgeCauses(report, originals, (verdict, finding, place) => {
      figures.causes[verdict] += 1;
      const said = [finding.causes.join(' + '), finding.certainty, finding.possible.join(', ')].join('; ');
      figures.faults.push(
        `${relative(native, path)} ${finding.request}: ${verdict}: lost ${finding.tokensLost}: ${said}; in truth ${place}`,
      );
    });
  }
  rmSync(native, { recursive: true });
  return { ...figures, found: found.size };
}

function sentRequests(log: string): readonly Sent[] {
  return readJsonLines(log).flatMap(record => {
    const body = member(record, 'body');
    const items = sentItems(body);
    return items.length === 0 || besides.has(stringAt(record, 'class') ?? '')
      ? []
      : [
          {
            items,
            id: stringAt(record, 'response_id'),
            model: stringAt(body, 'model') ?? /models\/([^:]+)/.exec(stringAt(record, 'path') ?? '')?.[1],
            truth: objectAt(record, 'truth'),
          },
        ];
  });
}

/** The sessions of a run with packed files unpacked, since names of files lead to the files beside them. */
function unpackedCopy(run: string): string {
  const copy = mkdtempSync(join(tmpdir(), 'agent-run-'));
  const native = join(run, 'native');
  // An export by telemetry stands beside its log.
  cpSync(existsSync(native) ? native : run, copy, {
    recursive: true,
    filter: path => !basename(path).startsWith('raw-requests'),
  });
  for (const path of filesOf(copy).filter(name => name.endsWith('.gz'))) {
    writeFileSync(path.slice(0, -3), gunzipSync(readFileSync(path)));
    rmSync(path);
  }
  return copy;
}

const filesOf = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name))
    .sort();

const transcriptsBelow = (folder: string): readonly string[] =>
  filesOf(folder).filter(path => /\.(jsonl|json|db)$/.test(path));

const placeOf = (item: string): Place =>
  item.startsWith('tool ') ? 'tools' : item.startsWith('system: ') ? 'system' : 'messages';

/** The unrecorded tokens: the share of the missing texts in each place. Images count for nothing here. */
function hiddenTokens(
  by: unknown,
  sent: readonly string[],
  missing: readonly string[],
  extra: readonly string[],
): number {
  const characters = (items: readonly string[], place: Place): number =>
    items.reduce(
      (sum, item) => sum + (placeOf(item) === place && !item.startsWith('image: ') ? item.length : 0),
      0,
    );
  return places.reduce((sum, place) => {
    const lacks = Math.max(0, characters(missing, place) - characters(extra, place));
    return sum + (lacks === 0 ? 0 : ((numberAt(by, place) ?? 0) * lacks) / characters(sent, place));
  }, 0);
}

/** Compares each cause with the place of the first difference between the two requests. */
function judgeCauses(
  { findings }: CacheReport,
  originals: readonly (Sent | undefined)[],
  judged: (verdict: keyof RunFigures['causes'], finding: CacheFinding, place: Place) => void,
): void {
  for (const finding of findings) {
    const [now, before] = [originals[finding.request], originals[finding.previous]];
    if (now !== undefined && before !== undefined) {
      const place = firstDifference(before, now);
      const names = (causes: readonly CacheBreakCause[]): boolean =>
        causes.some(cause => placesOf[cause].includes(place));
      const isHedged = finding.certainty === 'narrowed' || finding.causes[0] === 'unknown';
      const isTrue = names([finding.causes[0]]);
      judged(
        isHedged
          ? names([...finding.causes, ...finding.possible])
            ? 'hedged'
            : 'wrong'
          : isTrue
            ? 'right'
            : 'wrong',
        finding,
        place,
      );
    }
  }
}

function firstDifference(before: Sent, now: Sent): Place {
  if (before.model !== now.model) {
    return 'model';
  }
  const [old, current] = [before, now].map(({ items }) => items.filter(item => !isBilling(item)));
  const changed = places.filter(place => {
    const own = (old ?? []).filter(item => placeOf(item) === place);
    const next = (current ?? []).filter(item => placeOf(item) === place);
    if (place === 'tools' && (own.length === 0 || next.length === 0)) {
      // A request for a summary has no tools.
      return false;
    }
    return own.some((item, index) => item !== next[index]) || (place === 'tools' && own.length < next.length);
  });
  return changed[0] ?? 'none';
}

/** A block of the user's side without a text. */
const emptyText = 'user: ';

/** Claude Code's header differs in each request, and the cache ignores it. */
const isBilling = (item: string): boolean => item.startsWith('system: x-anthropic-billing-header');

const short = (item: string): string =>
  JSON.stringify(item.length > 120 ? `${item.slice(0, 100)}… (${item.length})` : item);

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;

function rowOf(figures: RunFigures): readonly (string | number)[] {
  const errors = [...figures.hiddenErrors].sort((first, second) => first - second);
  const { right, hedged, wrong } = figures.causes;
  return [
    figures.name,
    `${figures.found} of ${figures.sent}`,
    figures.invented,
    `${figures.equalBlocks} of ${figures.shownBlocks}`,
    figures.sentBlocks,
    `${figures.complete - figures.falselyComplete} of ${figures.complete}`,
    figures.boundaries === 0 ? '–' : `${figures.nearBoundaries} of ${figures.boundaries}`,
    errors.length === 0
      ? '–'
      : `${percent(errors[Math.floor(errors.length / 2)] ?? 0)}, ${percent(errors.at(-1) ?? 0)}`,
    right + hedged + wrong === 0 ? '–' : `${right} / ${hedged} / ${wrong}`,
  ];
}

const heads = [
  'Run',
  'Requests found',
  'Not sent',
  'Blocks exact',
  'Blocks sent',
  'Complete, rightly',
  'Boundary',
  'Hidden part, error',
  'Causes',
];

/** The sums over all runs. */
function sumOf(all: readonly RunFigures[]): RunFigures {
  const sum = (figure: (run: RunFigures) => number): number =>
    all.reduce((total, run) => total + figure(run), 0);
  return {
    name: 'All',
    sent: sum(({ sent }) => sent),
    found: sum(({ found }) => found),
    invented: sum(({ invented }) => invented),
    equalBlocks: sum(({ equalBlocks }) => equalBlocks),
    shownBlocks: sum(({ shownBlocks }) => shownBlocks),
    sentBlocks: sum(({ sentBlocks }) => sentBlocks),
    complete: sum(({ complete }) => complete),
    falselyComplete: sum(({ falselyComplete }) => falselyComplete),
    boundaries: sum(({ boundaries }) => boundaries),
    nearBoundaries: sum(({ nearBoundaries }) => nearBoundaries),
    hiddenErrors: all.flatMap(({ hiddenErrors }) => hiddenErrors),
    causes: {
      right: sum(({ causes }) => causes.right),
      hedged: sum(({ causes }) => causes.hedged),
      wrong: sum(({ causes }) => causes.wrong),
    },
    faults: [],
  };
}

/**
 * The table over the runs whose logs are among the files; with `isList`, every fault and every cause instead.
 * @param before the table of another version: a cell that differs shows both
 */
export async function runsTable(
  files: readonly string[],
  root: string,
  isList: boolean,
  before: string,
): Promise<string> {
  const all: RunFigures[] = [];
  for (const log of files.filter(path => /raw-requests\.jsonl(\.gz)?$/.test(path))) {
    all.push(await runFigures(log, root));
  }
  if (isList) {
    return all.flatMap(({ name, faults }) => faults.map(fault => `${name} ${fault}`)).join('\n');
  }
  const earlier = new Map(
    before.split('\n').map(line => {
      const cells = line.split('|').map(cell => cell.trim());
      return [cells[1], cells.slice(1)];
    }),
  );
  return table(
    heads,
    [...all, sumOf(all)].map(rowOf).map(cells => {
      const old = earlier.get(String(cells[0]));
      return cells.map((cell, column) => {
        const other = old?.[column] ?? String(cell);
        return other === String(cell) ? cell : `${other} → ${cell}`;
      });
    }),
  );
}
