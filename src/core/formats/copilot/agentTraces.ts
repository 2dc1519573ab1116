import { groupBy } from '../../base/groupBy';
import { isArray, member, millisecondsAt, numberAt, stringAt } from '../../base/json';
import { below, flatMapAt, type Place } from '../../content/place';
import { hasColumn, type StoreRows } from '../../reading/decoders/storeRows';
import type { Database, DocumentFormat } from '../../reading/format';
import type { Attributes } from '../otlp/otlpAttributes';
import { type CopilotSpan, ownAttributes, readSpans } from './spans';

/** Copilot Chat's database of spans, `agent-traces.db`, with the sessions of the last days. */
export const agentTraces: DocumentFormat = {
  kind: 'document',
  id: 'copilot-traces',
  name: 'Copilot agent traces',
  matches: document => isArray(member(document, 'copilotSpans')),
  read({ value, range }, locate, builder) {
    readSpans(builder, flatMapAt(value, { record: range, locate, path: [] }, 'copilotSpans', spanOf));
  },
};

function spanOf(row: unknown, place: Place): CopilotSpan {
  return {
    place,
    id: stringAt(row, 'span_id') ?? '',
    parent: stringAt(row, 'parent_span_id'),
    name: stringAt(row, 'name') ?? '',
    trace: stringAt(row, 'trace_id') ?? '',
    start: millisecondsAt(row, 'start_time_ms') ?? 0,
    isError: numberAt(row, 'status_code') === 2,
    attributes: withColumns(ownAttributes(row, place), row, place),
  };
}

/** Attributes that also have a column of their own. Among the attributes, all values are texts. */
const columns: readonly (readonly [column: string, attribute: string])[] = [
  ['request_model', 'gen_ai.request.model'],
  ['response_model', 'gen_ai.response.model'],
  ['input_tokens', 'gen_ai.usage.input_tokens'],
  ['output_tokens', 'gen_ai.usage.output_tokens'],
  ['cached_tokens', 'gen_ai.usage.cache_read.input_tokens'],
  ['reasoning_tokens', 'gen_ai.usage.reasoning.output_tokens'],
];

function withColumns(attributes: Attributes, row: unknown, place: Place): Attributes {
  for (const [column, attribute] of columns) {
    const value = stringAt(row, column) ?? numberAt(row, column);
    if (value !== undefined) {
      attributes.add(attribute, { value, place: below(place, column) });
    }
  }
  return attributes;
}

/** The spans with their attributes (otelSqliteStore.ts); `undefined` for another database. */
export function readAgentTraces(database: Database, rows: StoreRows): unknown {
  if (!hasColumn(database, 'spans', 'span_id') || !hasColumn(database, 'span_attributes', 'key')) {
    return undefined;
  }
  const attributes = groupBy(database.rows('span_attributes'), row => stringAt(row, 'span_id'));
  const copilotSpans = database.rows('spans').map(row =>
    rows.add({
      ...row,
      attributes: Object.fromEntries(
        (attributes.get(stringAt(row, 'span_id')) ?? []).map(({ key, value }) => [String(key), value]),
      ),
    }),
  );
  return { copilotSpans };
}
