import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import {
  arrayAt,
  isArray,
  isObject,
  member,
  objectAt,
  parseJson,
  stringAt,
  toJson,
} from '../../../src/core/base/json';
import type { HandOffTarget } from '../../../src/core/handOff/targets';
import { bytesOf, openedSession, planned, tryOpen, tryPlan } from '../../fixtures/handOffs';
import { readUnpacked, shared, skipWithout } from '../../fixtures/sharedFiles';

const samples = (folder: string, ...names: readonly string[]): readonly string[] =>
  names.map(name => join(shared, 'samples', folder, `${name}.jsonl`));

const origins: Readonly<Record<HandOffTarget, readonly string[]>> = {
  'claude-code': samples(
    'claude-code',
    'entire-2.0.64',
    'packmind-2.1.47-image',
    'entire-2.1.5-compact',
    'kimi-2.1.69-toolref',
  ),
  codex: samples('codex', 'agentv-2026-06-17-small', 'agentv-websearch-interrupted'),
  opencode: ['rich-serve/exports/export-after-6', 'skill/exports/export-after-5'].map(name =>
    join(shared, 'agent-runs', 'opencode', '1.18.34', `${name}.json.gz`),
  ),
  pi: samples('pi', 'large-session', 'specstory-full_format'),
};

describe('a session written for its own agent', { skip: skipWithout('samples') }, () => {
  for (const target of ['claude-code', 'codex', 'opencode', 'pi'] as const) {
    for (const file of origins[target]) {
      it(`has the recorded content, and is read and written as the same: ${file.slice(shared.length)}`, async () => {
        const origin = readUnpacked(file);
        const result = await tryOpen(origin);
        assert.ok(result.ok);
        const tried = await tryPlan(result.session, target);
        assert.ok(tried.ok);
        const first = await bytesOf(tried);
        const again = await bytesOf(await planned(await openedSession(first), target));
        assert.deepEqual(recordsIn(again).map(withoutOrigin), recordsIn(first).map(withoutOrigin));
        const recorded = new Map<string, number>();
        recordsIn(origin)
          .flatMap(record => contentOf(target, record))
          .forEach(item => {
            recorded.set(item, (recorded.get(item) ?? 0) + 1);
          });
        const written = recordsIn(first).flatMap(record => contentOf(target, record));
        assert.ok(written.length > 3);
        for (const item of written.filter(each => !added.test(each))) {
          const left = recorded.get(item) ?? 0;
          assert.ok(left > 0, `in the origin: ${item.slice(0, 400)}`);
          recorded.set(item, left - 1);
        }
      });
    }
  }
});

/** Differences from the origin: additions of a hand-off, and texts that agents send in another form than they record. */
const added = new RegExp(
  [
    String.raw`\[No result was recorded for this call\.\]`,
    String.raw`\[The beginning of this conversation is left out\.\]`,
    // Tools by reference, which another process may not have, and what Claude Code says of them.
    String.raw`^\{"text":"Tool loaded\."`,
    String.raw`\\"tool_reference\\"`,
    // pi's summaries, and results that opencode has pruned.
    'The conversation history before this point was compacted',
    'The following is a summary of a branch',
    String.raw`\(no tool output\)`,
    String.raw`\[Old tool result content cleared\]`,
  ].join('|'),
);

function recordsIn(bytes: Buffer): readonly unknown[] {
  const text = bytes.toString();
  const document = parseJson(text);
  return document === undefined
    ? text.split('\n').flatMap(line => (line === '' ? [] : [parseJson(line)]))
    : [document];
}

/** A record without the name of the session that it comes from. */
function withoutOrigin(record: unknown): unknown {
  return isObject(record) ? { ...record, forkedFrom: undefined, parentSession: undefined } : record;
}

/** The content that a record adds to requests, each piece as JSON with sorted keys. */
function contentOf(target: HandOffTarget, record: unknown): readonly string[] {
  switch (target) {
    case 'claude-code':
    case 'pi': {
      const message = objectAt(record, 'message');
      const content = member(message, 'content');
      const pieces = isArray(content) ? content : [{ type: 'text', text: content }];
      return stringAt(message, 'role') === 'toolResult'
        ? [canonical({ id: member(message, 'toolCallId'), error: member(message, 'isError'), content })]
        : message === undefined
          ? []
          : pieces.map(canonical);
    }
    case 'codex': {
      const payload = stringAt(record, 'type') === 'response_item' ? objectAt(record, 'payload') : undefined;
      const content = arrayAt(payload, 'content');
      return payload === undefined
        ? []
        : stringAt(payload, 'type') === 'message'
          ? content.map(canonical)
          : [canonical(payload)];
    }
    case 'opencode':
      return arrayAt(record, 'messages')
        .flatMap(message => arrayAt(message, 'parts'))
        .flatMap(part => {
          const state = objectAt(part, 'state');
          switch (stringAt(part, 'type')) {
            case 'text':
              return [canonical(member(part, 'text'))];
            case 'tool':
              return [
                canonical({
                  tool: member(part, 'tool'),
                  id: member(part, 'callID'),
                  input: member(state, 'input'),
                  output: member(state, 'output'),
                  error: member(state, 'error'),
                }),
              ];
            case undefined:
            default:
              return [];
          }
        });
  }
}

const canonical = (value: unknown): string => toJson(sorted(value));

/** With sorted keys, and without what differs between requests of the same content. */
function sorted(value: unknown): unknown {
  if (isArray(value)) {
    return value.map(sorted);
  }
  return isObject(value)
    ? Object.fromEntries(
        Object.keys(value)
          .filter(key => !unsent.has(key))
          .sort()
          .map(key => [key, sorted(value[key])]),
      )
    : value;
}

const unsent: ReadonlySet<string> = new Set(['cache_control', 'metadata']);
