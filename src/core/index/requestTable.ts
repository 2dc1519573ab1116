import { groupBy } from '../base/groupBy';
import { versionNumberOf } from '../model/agentVersion';
import { requestKey } from '../model/requestKey';
import type { Billing } from '../model/billing';
import type { RecordedUsage, Transcript } from '../model/transcript';
import { doubtedTotals } from '../tokens/doubtedTotals';
import { writtenForHour } from '../tokens/prices';
import { recordsUsage } from '../tokens/usageFigures';
import { newColumns, packColumns, unpackColumns } from './columnFile';

/** The index's data for each request with recorded usage. Tokens are whole numbers. */
const requestTypes = {
  /** Milliseconds since 1970; NaN if not recorded. */
  time: 'float64',
  /** A hash of the agent and the provider's id of the request; 0 without such an id. */
  key: 'float64',
  input: 'uint32',
  cacheRead: 'uint32',
  cacheWrite: 'uint32',
  /** The part of `cacheWrite` with a lifetime of an hour. */
  cacheWriteHour: 'uint32',
  output: 'uint32',
  /** US dollars that the agent recorded; NaN if it recorded none. */
  recordedCost: 'float64',
  /** The place in `IndexedSession.billings` plus one; 0 without. */
  billing: 'uint32',
  /** Index into `IndexedSession.models`. */
  model: 'uint16',
  /** Index into `IndexedSession.versions` plus one; 0 if the agent's version is not recorded. */
  version: 'uint16',
  /** Number of compactions of its conversation since the request before it in the table, without cleared results. */
  compactions: 'uint16',
  /** 1 if a subagent recorded in the same file sent it. */
  subagent: 'uint8',
  /** 1 if the recorded output is known to be too low. */
  outputDoubtful: 'uint8',
  /** 1 if the recorded input is doubted. */
  inputDoubted: 'uint8',
} as const;

/** Requests with recorded usage of one file, in the order of the file. */
export interface RequestTable {
  readonly count: number;
  readonly columns: ReturnType<typeof newTable>;
}

const newTable = (count: number) => newColumns(requestTypes, count);

/** The requests that have a row in the table, in the order of the file. */
export function recordedRequests(requests: Transcript['requests']): readonly number[] {
  return [...requests.keys()].filter(number => recordsUsage(requests[number]?.usage));
}

/** The table of a transcript as bytes, and the models and billings in it. Empty without a transcript. */
export function packRequests(transcript: Transcript | undefined): {
  readonly bytes: Uint8Array;
  readonly models: readonly string[];
  readonly billings: readonly Billing[];
} {
  const { agent, requests = [], conversations = [], compactions = [] } = transcript ?? {};
  const models = new Map<string, number>();
  const billings: Billing[] = [];
  const doubted = transcript === undefined ? new Set<number>() : doubtedTotals(transcript);
  const rows = recordedRequests(requests).flatMap(number => {
    const request = requests[number];
    return request?.usage === undefined ? [] : [{ number, request, usage: request.usage }];
  });
  const subagents = new Set(conversations.flatMap(({ session }) => session?.subagents ?? []));
  const compacted = new CompactionsBefore(compactions);
  const columns = newTable(rows.length);
  for (const [row, { number: place, request, usage }] of rows.entries()) {
    const { timestamp = Number.NaN, thread, model = '' } = request;
    const number = models.get(model) ?? models.size;
    models.set(model, number);
    columns.time[row] = timestamp;
    columns.key[row] = requestKey(agent?.name ?? '', request);
    setUsage(columns, row, usage);
    columns.model[row] = number;
    columns.version[row] = agent === undefined ? 0 : versionNumberOf(agent, place) + 1;
    columns.compactions[row] = compacted.before(thread, place);
    columns.billing[row] = usage.billing === undefined ? 0 : billings.push(usage.billing);
    columns.inputDoubted[row] = doubted.has(place) ? 1 : 0;
    columns.outputDoubtful[row] = request.outputDoubtful === true ? 1 : 0;
    columns.subagent[row] = subagents.has(thread) || (thread > 0 && conversations.length === 0) ? 1 : 0;
  }
  return { bytes: packColumns(requestTypes, rows.length, columns), models: [...models.keys()], billings };
}

export function unpackRequests(bytes: Uint8Array): RequestTable {
  return unpackColumns(requestTypes, bytes);
}

/** The usage of a row, for its price. */
export function usageAt(
  { columns }: RequestTable,
  row: number,
  billings: readonly Billing[] = [],
): RecordedUsage {
  const { [row]: cost = Number.NaN } = columns.recordedCost;
  const billing = billings[(columns.billing[row] ?? 0) - 1];
  return {
    input: columns.input[row] ?? 0,
    cacheRead: columns.cacheRead[row] ?? 0,
    cacheWrite: columns.cacheWrite[row] ?? 0,
    cacheWriteHour: columns.cacheWriteHour[row] ?? 0,
    output: columns.output[row] ?? 0,
    ...(Number.isNaN(cost) ? {} : { cost }),
    ...(billing === undefined ? {} : { billing }),
  };
}

/** Counts the compactions of each conversation, in the order of its requests. */
class CompactionsBefore {
  /** The first request after each compaction, the last compaction first. */
  private readonly left: ReadonlyMap<number, number[]>;

  constructor(compactions: Transcript['compactions']) {
    const meant = compactions.filter(({ kind }) => kind === 'compaction');
    this.left = new Map(
      [...groupBy(meant, ({ thread }) => thread)].map(([thread, own]) => [
        thread,
        own.map(({ request }) => request).sort((first, second) => second - first),
      ]),
    );
  }

  /** The compactions up to a request that no earlier call counted. */
  before(thread: number, request: number): number {
    const left = this.left.get(thread) ?? [];
    let count = 0;
    for (; (left.at(-1) ?? Infinity) <= request; count += 1) {
      left.pop();
    }
    return count;
  }
}

function setUsage(columns: RequestTable['columns'], row: number, usage: RecordedUsage): void {
  columns.input[row] = usage.input;
  columns.cacheRead[row] = usage.cacheRead;
  columns.cacheWrite[row] = usage.cacheWrite;
  columns.cacheWriteHour[row] = writtenForHour(usage);
  columns.output[row] = usage.output;
  columns.recordedCost[row] = usage.cost ?? Number.NaN;
}
