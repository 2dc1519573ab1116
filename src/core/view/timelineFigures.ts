import { at } from '../base/numbers';
import type { SessionColumns } from '../model/columns';
import { sources } from '../model/source';
import { dividedPrefix } from '../tokens/calibration';
import { recordedInput } from './requestTokens';
import { sourceSums } from './sourceSums';

/** A column for each request of a thread, in tokens. */
export interface TimelineFigures {
  readonly requests: Uint32Array;
  readonly totals: Float64Array;
  /** Tokens by source, by its index in `sources`; the first is the unrecorded part. Together they are the total. */
  readonly sources: readonly Float64Array[];
  /** NaN if the provider reported nothing. */
  readonly cacheRead: Float64Array;
  readonly window: number;
  /** Slots at which another model answers than before. */
  readonly modelSwitches: readonly { readonly slot: number; readonly model: string }[];
}

/** The figures of a list of requests. Linear in the requests. */
export function timelineOf(columns: SessionColumns, requests: Uint32Array): TimelineFigures {
  const sums = sourceSums(columns);
  const { requests: rows } = columns;
  const totals = new Float64Array(requests.length);
  const cacheRead = new Float64Array(requests.length);
  const bySource = sources.map(() => new Float64Array(requests.length));
  const modelSwitches: { readonly slot: number; readonly model: string }[] = [];
  let window = 0;
  let model = rows.model[requests[0] ?? 0];
  requests.forEach((request, slot) => {
    const visible = sums.map(column => at(column, request));
    const estimate = visible.reduce((sum, tokens) => sum + tokens, 0);
    const input = recordedInput(columns, request);
    const hidden = at(rows.notRecorded, request);
    const { notRecorded, head: shown } = dividedPrefix(input, hidden, estimate, estimate);
    totals[slot] = notRecorded + shown;
    cacheRead[slot] = input === undefined ? Number.NaN : at(rows.cacheRead, request);
    bySource.forEach((tokens, source) => {
      tokens[slot] =
        source === 0 ? notRecorded : estimate === 0 ? 0 : (at(visible, source) / estimate) * shown;
    });
    window = Math.max(window, at(rows.window, request));
    if (rows.model[request] !== model) {
      model = rows.model[request];
      modelSwitches.push({ slot, model: columns.strings.at(model ?? 0) ?? '' });
    }
  });
  return { requests, totals, sources: bySource, cacheRead, window, modelSwitches };
}
