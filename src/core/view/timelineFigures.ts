import { at } from '../base/numbers';
import { requestFlags, type SessionColumns } from '../model/columns';
import { sources } from '../model/source';
import { recordedInput } from './requestTokens';
import { sourceSums } from './sourceSums';

/** A column for each request of a thread, in tokens. */
export interface TimelineFigures {
  readonly requests: Uint32Array;
  readonly totals: Float64Array;
  /** Tokens by source, by its index in `sources`; the first is what is not recorded. Together they are the total. */
  readonly sources: readonly Float64Array[];
  /** NaN where the provider reported nothing. */
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
    const scaled = Math.round(estimate * at(rows.scale, request));
    const input = recordedInput(columns, request);
    const isComplete = (at(rows.flags, request) & requestFlags.complete) !== 0;
    const total = input ?? scaled;
    const shown = input !== undefined && isComplete && estimate > 0 ? input : Math.min(scaled, total);
    totals[slot] = total;
    cacheRead[slot] = input === undefined ? Number.NaN : at(rows.cacheRead, request);
    bySource.forEach((tokens, source) => {
      tokens[slot] =
        source === 0 ? total - shown : estimate === 0 ? 0 : (at(visible, source) / estimate) * shown;
    });
    window = Math.max(window, at(rows.window, request));
    if (rows.model[request] !== model) {
      model = rows.model[request];
      modelSwitches.push({ slot, model: columns.strings.at(model ?? 0) ?? '' });
    }
  });
  return { requests, totals, sources: bySource, cacheRead, window, modelSwitches };
}
