import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { formatDuration } from '../../src/core/base/format';
import { groupBy } from '../../src/core/base/groupBy';
import type { CacheBreakCause, CacheFinding } from '../../src/core/cache/cacheFinding';
import { CacheSession } from '../../src/core/cache/cacheSession';
import type { ModelFamily } from '../../src/core/model/modelRow';
import { cacheQuestions } from '../../src/core/questions/cacheQuestions';
import { shareInterval } from '../../src/core/tokens/cacheSurvival';
import type { CachePauses } from '../../src/core/tokens/measured/tables';
import { pauseLimits } from '../../src/core/tokens/pauseLimits';
import { openSample } from './openSample';
import { table } from './tables';

/** One pause in a conversation, and whether the cache lived through it. */
interface Pause {
  readonly family: ModelFamily;
  /** As in the table of models. */
  readonly model: string;
  readonly promised: number;
  readonly asked: number;
  readonly place: number;
  readonly survived: boolean;
  readonly file: string;
  readonly format: string;
}

/** Shorter prefixes are not cached by some providers. Tokens. */
const leastReadable = 2048;
/** A cache survived if this share of what was readable was read. */
const survivingShare = 0.9;
/** Causes that a lost cache can have without anything else on record. */
const silent: readonly CacheBreakCause[] = ['lifetimeExpired', 'evicted', 'notWrittenYet', 'unknown'];
/** Fewer pauses, or pauses of fewer sessions, are not used. */
const fewest = { pauses: 5, sessions: 3 } as const;

const isSilent = (finding: CacheFinding | undefined): boolean =>
  finding === undefined || finding.causes.every(cause => silent.includes(cause));

/**
 * The pauses of one file before requests that only add to the one before, to the same model. `known` are those of earlier
 * files: a resumed session repeats its requests.
 */
async function pausesOf(path: string, known: Set<string>): Promise<readonly Pause[]> {
  const opened = await openSample(basename(path), readFileSync(path));
  if (opened === undefined) {
    return [];
  }
  const session = new CacheSession(opened.toSession(), true);
  const { boundaries, findings } = await cacheQuestions(opened).inferredReport();
  const found = new Map(findings.map(finding => [finding.request, finding]));
  return boundaries.flatMap(({ request, recorded: read, readable }): readonly Pause[] => {
    const previous = session.previousOf(request) ?? -1;
    const seconds = session.secondsBetween(previous, request);
    const row = session.rowOf(previous);
    const id = [session.columns.requests.timestamp[request], session.modelOf(request), read, readable].join();
    if (
      row === undefined ||
      seconds === undefined ||
      seconds < 0 ||
      read === undefined ||
      readable === undefined ||
      readable < leastReadable ||
      session.modelOf(previous) !== session.modelOf(request) ||
      session.contexts.common(previous, request) < session.lengthOf(previous) ||
      !isSilent(found.get(request)) ||
      known.has(id)
    ) {
      return [];
    }
    known.add(id);
    return [
      {
        family: row.family,
        model: row.match,
        promised: row.cache.lifetimeSeconds ?? 0,
        asked: session.askedLifetimeOf(previous) ?? 0,
        place: pauseLimits.findIndex(limit => seconds <= limit),
        survived: read >= survivingShare * readable,
        file: path,
        format: opened.transcript.format,
      },
    ];
  });
}

const sessionsOf = (pauses: readonly Pause[]): number => new Set(pauses.map(({ file }) => file)).size;

type Counts = CachePauses[number]['pauses'];

function counted(pauses: readonly Pause[]): Counts {
  return pauseLimits.map((_, place) => {
    const here = pauses.filter(pause => pause.place === place);
    return [here.filter(({ survived }) => survived).length, here.length] as const;
  });
}

/** Without ranges of which too little was seen. */
function usable(pauses: readonly Pause[]): Counts {
  return counted(pauses).map((counts, place) => {
    const sessions = sessionsOf(pauses.filter(pause => pause.place === place));
    return counts[1] >= fewest.pauses && sessions >= fewest.sessions ? counts : ([0, 0] as const);
  });
}

/** Groups in the order of their names. */
const grouped = (pauses: readonly Pause[], key: (pause: Pause) => string): readonly (readonly Pause[])[] =>
  [...groupBy(pauses, key)].sort(([first], [second]) => first.localeCompare(second)).map(([, list]) => list);

interface Group {
  /** The model; undefined for all of a family. */
  readonly name: string | undefined;
  readonly list: readonly Pause[];
}

/** All pauses of a family with the same lifetimes, each followed by those of its models. */
const groupsOf = (pauses: readonly Pause[]): readonly Group[] =>
  grouped(pauses, ({ family, promised, asked }) => [family, promised, asked].join(' ')).flatMap(group => [
    { name: undefined, list: group },
    ...grouped(group, ({ model }) => model).map(list => ({ name: list[0]?.model, list })),
  ]);

/** Rows of the table that the program uses: each group as a whole, then its models. */
function measured(pauses: readonly Pause[]): CachePauses {
  return groupsOf(pauses).flatMap(({ name, list }) => {
    const [first] = list;
    const counts = usable(list);
    return first === undefined || counts.every(([, of]) => of === 0)
      ? []
      : [
          {
            family: first.family,
            ...(name === undefined ? {} : { model: name }),
            promised: first.promised,
            asked: first.asked,
            pauses: counts,
          },
        ];
  });
}

const rangeNames = pauseLimits.map((limit, place) => {
  const from = formatDuration(pauseLimits[place - 1] ?? 0);
  return place === 0
    ? `up to ${formatDuration(limit)}`
    : limit === Number.POSITIVE_INFINITY
      ? `longer than ${from}`
      : `${from} to ${formatDuration(limit)}`;
});

function cell([survived, of]: readonly [number, number]): string {
  const [low, high] = shareInterval(survived, of).map(share => Math.round(100 * share));
  return of === 0 ? '' : `${survived} of ${of} (${low}–${high} %)`;
}

const lifetimeName = (seconds: number): string => (seconds === 0 ? '–' : formatDuration(seconds));

function survivalTable(pauses: readonly Pause[]): string {
  return table(
    ['Models', 'Promised', 'Asked for', 'Sessions', ...rangeNames],
    groupsOf(pauses).flatMap(({ name, list }) => {
      const [first] = list;
      return first === undefined
        ? []
        : [
            [
              name ?? `**${first.family}**`,
              lifetimeName(first.promised),
              lifetimeName(first.asked),
              sessionsOf(list),
              ...counted(list).map(cell),
            ],
          ];
    }),
  );
}

/** @returns the table that the program uses, and the document about it */
export async function fitLifetimes(
  paths: readonly string[],
  asOf: string,
): Promise<{ readonly rows: CachePauses; readonly document: string }> {
  const known = new Set<string>();
  const pauses: Pause[] = [];
  for (const path of paths) {
    pauses.push(...(await pausesOf(path, known)));
  }
  return {
    rows: measured(pauses),
    document: `# How long caches live

Made by \`npm run cache-lifetimes -w research -- FILE|FOLDER…\` in ${asOf}, with the table in \`src/core/tokens/measured/cachePauses.json\` that the program uses.

The command takes pairs of requests to the same model, in which the later one only adds to the earlier one and at least ${leastReadable} tokens were readable from the cache. The cache survived the pause if at least ${100 * survivingShare} % of these tokens were read. Pairs whose record shows another cause (a compaction, cleared results, dropped reasoning, a resumed session, other settings or tools, an input that shrank) are left out. Repeated requests of a resumed session count once. The pause is the difference between the two recorded times. For most agents these are the times of the replies, so the pause includes the time in which the model answered.

In brackets: the interval of the true share with 90 % confidence (Wilson's interval; it assumes independent pauses, which is not quite true within one session). The program uses a row with at least ${fewest.pauses} pauses from ${fewest.sessions} sessions: the model's own row, otherwise the row of all models of the family with the same promised lifetime. If the request asked for a lifetime, the program expects that lifetime. Otherwise it expects the promised one, with two exceptions. It expects a longer one if the interval is above one half for pauses beyond the promised lifetime. It expects a shorter one if the model's own interval is below one half for pauses within it. In both cases the evidence of the finding shows the counts.

${table(
  ['Agent', 'Sessions', 'Pauses'],
  grouped(pauses, ({ format }) => format).map(list => [list[0]?.format ?? '', sessionsOf(list), list.length]),
)}

Bold rows hold all models of a family with the same lifetimes. "Asked for": the lifetime that the usage records.

${survivalTable(pauses)}
`,
  };
}
