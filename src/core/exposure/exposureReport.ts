import { entryOf } from '../base/entryOf';
import { groupBy } from '../base/groupBy';
import type { BlockKind } from '../model/block';
import { kindOf } from '../model/blockWords';
import type { Session, SessionColumns } from '../model/columns';
import { requestNames } from '../view/requestNames';
import { type Ending, SessionExposure } from './exposure';
import type { Provider } from './provider';
import type { SensitiveItem } from './sensitiveItem';

/** A request by its conversation and its 0-based index there, with its time. */
export interface RequestMoment {
  readonly conversation: number;
  readonly request: number;
  /** In ISO 8601; null if not recorded. */
  readonly time: string | null;
}

/** The requests that sent something, in the form for JSON. Absent members are null. */
export interface ExposureReport {
  readonly requests: number;
  /**
   * Number of requests in which it was in the frozen prefix (the part read from the cache), and number of requests with
   * such a record; null if there is no record.
   */
  readonly cached: { readonly requests: number; readonly recorded: number } | null;
  /** The same for the declared frozen prefix (`frozenPrefixLen`), and the number of requests that declare one. */
  readonly declaredFrozen: { readonly requests: number; readonly declaring: number } | null;
  readonly first: RequestMoment | null;
  readonly last: RequestMoment | null;
  /** True if the newest request of one of its conversations still carries it. */
  readonly stillSent: boolean;
  readonly conversations: readonly {
    readonly conversation: number;
    readonly requests: number;
    /** 0-based among the requests of the conversation. */
    readonly first: number;
    readonly last: number;
    /** The reason why its newest request does not carry it; null if it does. */
    readonly ended: Ending | null;
  }[];
  readonly models: readonly {
    readonly model: string | null;
    readonly provider: string | null;
    readonly providerFrom: Provider['from'] | null;
    readonly requests: number;
  }[];
}

/** A place of a secret: never its text. */
export interface PlaceReport {
  /** 0-based number of the block in the file. */
  readonly block: number;
  readonly kind: BlockKind;
  /** 1-based line in the transcript. */
  readonly line: number;
  /** The member of the block's JSON whose value or name contains it. */
  readonly member: string | null;
  readonly in: 'text' | 'name';
}

export interface SecretReport extends Pick<SensitiveItem, 'rule' | 'label'>, ExposureReport {
  readonly places: readonly PlaceReport[];
}

/** Findings of one rule in the same places. They were sent in the same requests. */
export interface SecretGroup extends SecretReport {
  /** Number of different secrets or pieces of personal data. */
  readonly count: number;
}

export interface BlockExposureReport extends Pick<PlaceReport, 'block' | 'kind' | 'line'>, ExposureReport {
  /** Number of secrets in the block. */
  readonly secrets: number;
}

export interface SessionExposureReport {
  readonly secrets: readonly SecretReport[];
  /** The blocks with any of them, or all blocks. */
  readonly blocks: readonly BlockExposureReport[];
}

/** Session exposure in which the secrets of one rule in the same places are one entry. */
export interface GroupedExposure extends Pick<SessionExposureReport, 'blocks'> {
  readonly secrets: readonly SecretGroup[];
}

const prepared = new WeakMap<SessionColumns, SessionExposure>();

/** The exposure of each content. A content is given as the blocks that contain it. */
export function exposureReports(
  { columns, summary }: Pick<Session, 'columns' | 'summary'>,
  contents: readonly (readonly number[])[],
): readonly ExposureReport[] {
  const { thread, timestamp } = columns.requests;
  const names = requestNames(Array.from(thread, number => ({ thread: number })));
  const momentOf = (request: number): RequestMoment | null => {
    const name = names[request];
    const time = new Date(timestamp[request] ?? Number.NaN);
    return name === undefined
      ? null
      : { ...name, time: Number.isNaN(time.getTime()) ? null : time.toISOString() };
  };
  const indexOf = (request: number): number => names[request]?.request ?? -1;
  return entryOf(prepared, columns, () => new SessionExposure(columns, summary))
    .of(contents)
    .map(({ requests, cached, recorded, declared, declaring, first, last, threads, models }) => ({
      requests,
      cached: recorded === 0 ? null : { requests: cached, recorded },
      declaredFrozen: declaring === 0 ? null : { requests: declared, declaring },
      first: momentOf(first),
      last: momentOf(last),
      stillSent: threads.some(({ ended }) => ended === undefined),
      conversations: threads.map(each => ({
        conversation: each.thread,
        requests: each.requests,
        first: indexOf(each.first),
        last: indexOf(each.last),
        ended: each.ended ?? null,
      })),
      models: models.map(each => ({
        model: each.model === '' ? null : each.model,
        provider: each.provider?.name ?? null,
        providerFrom: each.provider?.from ?? null,
        requests: each.requests,
      })),
    }));
}

/** @param everyBlock true to list blocks without findings too */
export function exposureReport(
  session: Pick<Session, 'columns' | 'summary'>,
  items: readonly SensitiveItem[],
  everyBlock = false,
): SessionExposureReport {
  const { blocks } = session.columns;
  const held = new Map<number, number>();
  for (const { places } of items) {
    new Set(places.map(({ block }) => block)).forEach(block => held.set(block, (held.get(block) ?? 0) + 1));
  }
  const numbers = everyBlock ? [...blocks.line.keys()] : [...held.keys()].sort((one, other) => one - other);
  const reports = exposureReports(session, [
    ...items.map(({ places }) => places.map(({ block }) => block)),
    ...numbers.map(block => [block]),
  ]);
  const blockOf = (block: number): Pick<PlaceReport, 'block' | 'kind' | 'line'> => ({
    block,
    kind: kindOf(blocks, block),
    line: blocks.line[block] ?? 0,
  });
  return {
    secrets: reports.slice(0, items.length).map((report, number) => {
      const { rule = '', label = 'private', places = [] } = items[number] ?? {};
      return {
        rule,
        label,
        places: places.map(({ block, member, isName }) => ({
          ...blockOf(block),
          member: member ?? null,
          in: isName ? ('name' as const) : ('text' as const),
        })),
        ...report,
      };
    }),
    blocks: reports.slice(items.length).map((report, place) => {
      const block = numbers[place] ?? 0;
      return { ...blockOf(block), secrets: held.get(block) ?? 0, ...report };
    }),
  };
}

/**
 * Groups the entries, so that a table with a thousand addresses becomes few entries. Entries are in the order of their
 * first member.
 */
export function groupedExposure({ secrets, blocks }: SessionExposureReport): GroupedExposure {
  const groups = groupBy(secrets, ({ rule, label, places }) => JSON.stringify([rule, label, places]));
  return {
    secrets: Array.from(groups.values()).flatMap(([first, ...others]) =>
      first === undefined ? [] : [{ ...first, count: 1 + others.length }],
    ),
    blocks,
  };
}
