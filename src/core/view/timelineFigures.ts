import { at } from '../base/numbers';
import { requestFlags, type SessionColumns } from '../model/columns';
import { partitionNames } from '../model/labels';
import { recordedInput } from './requestTokens';

/** A column for each request of a thread, in tokens. */
export interface TimelineFigures {
  readonly requests: Uint32Array;
  readonly totals: Float64Array;
  /** Visible tokens of each partition, by its index in partitionNames. */
  readonly partitions: readonly Float64Array[];
  readonly notRecorded: Float64Array;
  /** NaN where the provider reported nothing. */
  readonly cacheRead: Float64Array;
  readonly window: number;
  /** Slots at which another model answers than before. */
  readonly modelSwitches: readonly { readonly slot: number; readonly model: string }[];
}

/** Tokens of the first n blocks of each context by partition, at index n. Costs one pass over all contexts. */
export function partitionSums(columns: SessionColumns): readonly (readonly Float64Array[])[] {
  return columns.contexts.map(context =>
    partitionNames.map((_, partition) => {
      const sums = new Float64Array(context.length + 1);
      let sum = 0;
      for (let position = 0; position < context.length; position += 1) {
        const block = context[position] ?? 0;
        sum += columns.blocks.partition[block] === partition ? (columns.blocks.tokens[block] ?? 0) : 0;
        sums[position + 1] = sum;
      }
      return sums;
    }),
  );
}

/** The figures of a list of requests. Linear in the requests. */
export function timelineOf(
  columns: SessionColumns,
  requests: Uint32Array,
  sums: readonly (readonly Float64Array[])[] = partitionSums(columns),
): TimelineFigures {
  const { requests: rows } = columns;
  const totals = new Float64Array(requests.length);
  const notRecorded = new Float64Array(requests.length);
  const cacheRead = new Float64Array(requests.length);
  const partitions = partitionNames.map(() => new Float64Array(requests.length));
  const modelSwitches: { readonly slot: number; readonly model: string }[] = [];
  let window = 0;
  let model = rows.model[requests[0] ?? 0];
  requests.forEach((request, slot) => {
    const visible = partitionNames.map((_, partition) => {
      const sum = sums[at(rows.context, request)]?.[partition];
      return sum === undefined ? 0 : at(sum, at(rows.length, request));
    });
    const estimate = visible.reduce((sum, tokens) => sum + tokens, 0);
    const scaled = Math.round(estimate * at(rows.scale, request));
    const input = recordedInput(columns, request);
    const isComplete = (at(rows.flags, request) & requestFlags.complete) !== 0;
    const total = input ?? scaled;
    const shown = input !== undefined && isComplete && estimate > 0 ? input : Math.min(scaled, total);
    totals[slot] = total;
    notRecorded[slot] = total - shown;
    cacheRead[slot] = input === undefined ? Number.NaN : at(rows.cacheRead, request);
    partitions.forEach((tokens, partition) => {
      tokens[slot] = estimate === 0 ? 0 : (at(visible, partition) / estimate) * shown;
    });
    window = Math.max(window, at(rows.window, request));
    if (rows.model[request] !== model) {
      model = rows.model[request];
      modelSwitches.push({ slot, model: columns.strings.at(model ?? 0) ?? '' });
    }
  });
  return { requests, totals, partitions, notRecorded, cacheRead, window, modelSwitches };
}
