import assert from 'node:assert/strict';
import { basename, join } from 'node:path';
import { describe, it } from 'node:test';
import { arrayAt, isArray, member, objectAt, stringAt } from '../../../src/core/base/json';
import type { Block } from '../../../src/core/model/block';
import type { RecordedRequest } from '../../../src/core/model/transcript';
import { filesBelow, readUnpacked, shared, skipWithout } from '../../fixtures/sharedFiles';
import { allTexts, numbersOf, openBytes, type OpenedTranscript } from '../../fixtures/transcriptBytes';
import { someOf } from '../../fixtures/variants';

// Compares every request recorded in Claude Code's transcripts with what a server next to it really received.

const runs = join(shared, 'agent-runs', 'claude-code');

/** One content item as the model receives it: role, kind, text. */
type WireItem = readonly [role: string, kind: string, text: string];

interface WireRequest {
  readonly responseId: string | undefined;
  readonly model: string | undefined;
  readonly tools: readonly string[];
  readonly system: readonly string[];
  readonly content: readonly WireItem[];
  readonly breakpoints: readonly string[];
}

// What the server received

function rawRequests(run: string): readonly WireRequest[] {
  const path = filesBelow(run, 'raw-requests.jsonl', 'raw-requests.jsonl.gz')[0];
  const lines = path === undefined ? [] : readUnpacked(path).toString().trimEnd().split('\n');
  return lines.flatMap(line => {
    const record: unknown = JSON.parse(line);
    const path = stringAt(record, 'path') ?? '';
    return path.startsWith('/v1/messages') && !path.includes('count_tokens') ? [flattenRaw(record)] : [];
  });
}

function flattenRaw(record: unknown): WireRequest {
  const body = objectAt(record, 'body');
  const system = arrayAt(body, 'system').map(part => stringAt(part, 'text') ?? '');
  return {
    responseId: stringAt(record, 'response_id'),
    model: stringAt(body, 'model'),
    tools: arrayAt(body, 'tools').map(tool => JSON.stringify(withoutMark(tool))),
    // The billing header is created for each request; no transcript contains it.
    system: system[0]?.startsWith('x-anthropic-billing-header') === true ? system.slice(1) : system,
    content: arrayAt(body, 'messages').flatMap(flattenMessage),
    breakpoints: arrayAt(body, 'messages').flatMap(message =>
      arrayAt(message, 'content').flatMap(item =>
        member(item, 'cache_control') === undefined ? [] : [lastText(flattenItem('', item))],
      ),
    ),
  };
}

function flattenMessage(message: unknown): readonly WireItem[] {
  const role = stringAt(message, 'role') ?? '';
  const content = member(message, 'content');
  return typeof content === 'string'
    ? [[role, 'text', content]]
    : (isArray(content) ? content : []).flatMap(item => flattenItem(role, item));
}

function flattenItem(role: string, item: unknown): readonly WireItem[] {
  const type = stringAt(item, 'type') ?? '';
  switch (type) {
    case 'text':
      return [[role, 'text', stringAt(item, 'text') ?? '']];
    case 'thinking':
      return [[role, 'thinking', stringAt(item, 'thinking') ?? '']];
    case 'redacted_thinking':
      return [[role, 'thinking', '']];
    case 'tool_use':
      return [[role, `call ${stringAt(item, 'id') ?? ''}`, JSON.stringify(member(item, 'input'))]];
    case 'image':
      return [[role, 'image', stringAt(objectAt(item, 'source'), 'data') ?? '']];
    case 'tool_result': {
      const content = member(item, 'content');
      const kind = `${member(item, 'is_error') === true ? 'error' : 'result'} ${stringAt(item, 'tool_use_id') ?? ''}`;
      if (typeof content === 'string') {
        return [[role, kind, content]];
      }
      const parts = isArray(content) ? content : [];
      const texts = parts.flatMap(part => stringAt(part, 'text') ?? []);
      const images = parts.filter(part => stringAt(part, 'type') === 'image');
      if (texts.length + images.length < parts.length) {
        return [[role, kind, JSON.stringify(content)]];
      }
      return [
        ...(texts.length > 0 || images.length === 0 ? [[role, kind, texts.join('\n')] as const] : []),
        ...images.flatMap(image => flattenItem(role, image)),
      ];
    }
    default:
      return [[role, type, JSON.stringify(item)]];
  }
}

function withoutMark(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) {
    return value;
  }
  return Object.fromEntries(Object.entries(value).filter(([key]) => key !== 'cache_control'));
}

function lastText(items: readonly WireItem[]): string {
  return items.at(-1)?.[2] ?? '';
}

// What the transcript contains

interface Rebuilt extends WireRequest {
  readonly request: RecordedRequest;
}

async function rebuiltRequests(opened: OpenedTranscript): Promise<readonly Rebuilt[]> {
  const { transcript } = opened;
  const texts = await allTexts(opened);
  return transcript.requests.map(request => {
    const numbers = numbersOf(transcript, request);
    const blocks = numbers.flatMap(number => {
      const block = transcript.blocks.at(number);
      return block === undefined ? [] : [{ block, text: texts[number] ?? '' }];
    });
    const ofKind = (kind: Block['kind']) => blocks.filter(({ block }) => block.kind === kind);
    const content = blocks.filter(
      ({ block }) => block.kind !== 'toolSchema' && block.kind !== 'systemPrompt',
    );
    return {
      request,
      responseId: request.id,
      model: request.model,
      tools: ofKind('toolSchema').map(({ text }) => text),
      system: ofKind('systemPrompt').map(({ text }) => text),
      content: joinPieces(content),
      breakpoints: (request.breakpoints ?? []).flatMap(position => {
        const block = transcript.blocks.at(numbers[position] ?? -1);
        return block === undefined || block.kind === 'systemPrompt' || block.kind === 'toolSchema'
          ? []
          : [texts[numbers[position] ?? -1] ?? ''];
      }),
    };
  });
}

/** Blocks as wire items. The pieces of one text that was cut at its reminders are joined to one item. */
function joinPieces(
  blocks: readonly { readonly block: Block; readonly text: string }[],
): readonly WireItem[] {
  const items: WireItem[] = [];
  let open: { readonly key: string; readonly end: number } | undefined;
  for (const { block, text } of blocks) {
    const piece =
      block.text.kind === 'string' && block.text.end !== undefined
        ? {
            key: `${block.text.record.offset} ${block.text.path.join('.')}`,
            start: block.text.start ?? 0,
            end: block.text.end,
          }
        : undefined;
    const last = items.at(-1);
    if (piece !== undefined && last !== undefined && piece.key === open?.key && piece.start === open.end) {
      items[items.length - 1] = [last[0], last[1], last[2] + text];
    } else {
      items.push([block.role === 'tool' ? 'user' : block.role, kindOf(block), text]);
    }
    open = piece;
  }
  return items;
}

function kindOf(block: Block): string {
  switch (block.kind) {
    case 'prompt':
    case 'injected':
    case 'assistant':
    case 'summary':
      return 'text';
    case 'toolCall':
      return `call ${block.callId ?? ''}`;
    case 'toolResult':
      return `${block.isError === true ? 'error' : 'result'} ${block.callId ?? ''}`;
    case 'thinking':
    case 'image':
    case 'other':
    case 'systemPrompt':
    case 'toolSchema':
    case 'structuredOutput':
      return block.kind;
  }
}

// The comparison

interface Difference {
  readonly matched: number;
  readonly missing: readonly string[];
  readonly extra: readonly string[];
}

/** A longest common subsequence would show the same for lists that differ in a few places; heads and tails suffice. */
function compare(expected: readonly string[], found: readonly string[]): Difference {
  let from = 0;
  while (from < Math.min(expected.length, found.length) && expected[from] === found[from]) {
    from += 1;
  }
  let tail = 0;
  while (
    tail < Math.min(expected.length, found.length) - from &&
    expected.at(-1 - tail) === found.at(-1 - tail)
  ) {
    tail += 1;
  }
  return {
    matched: from + tail,
    missing: expected.slice(from, expected.length - tail),
    extra: found.slice(from, found.length - tail),
  };
}

function keys(items: readonly WireItem[]): readonly string[] {
  return items.map(item => JSON.stringify(item));
}

/**
 * The wire format that a transcript without records cannot show: a newline after a text that is followed by another
 * text of the same message, and texts with the role `system` joined with empty lines between them.
 */
function joined(items: readonly WireItem[]): readonly WireItem[] {
  const found: WireItem[] = [];
  for (const [role, kind, text] of items) {
    const last = found.at(-1);
    if (role === 'system' && last?.[0] === 'system') {
      found[found.length - 1] = [role, kind, `${last[2]}\n\n${text}`];
    } else {
      found.push([role, kind, role === 'user' && kind === 'text' ? text.replace(/\n$/, '') : text]);
    }
  }
  return found;
}

function everything({ tools, system, content }: WireRequest): readonly string[] {
  return [...tools.map(tool => `tool ${tool}`), ...system.map(text => `system ${text}`), ...keys(content)];
}

function short(differences: readonly string[]): string {
  return differences.map(text => `    ${text.slice(0, 160)}\n`).join('');
}

const files = filesBelow(runs, '.jsonl', '.jsonl.gz')
  .filter(path => path.includes('/native/'))
  .map(path => {
    const run = path.slice(0, path.indexOf('/native/'));
    return { path, run, name: `${basename(run)}/${basename(path)}` };
  });

describe('Claude Code runs', { skip: skipWithout('agent-runs', 'claude-code') }, () => {
  for (const { path, run, name } of someOf(files, 5)) {
    it(`rebuilds the requests of ${name} from their records`, async context => {
      const opened = await openBytes(readUnpacked(path));
      const unused = [...rawRequests(run)];
      const found = await rebuiltRequests(opened);
      const recorded = found.filter(({ request }) => request.breakpoints !== undefined);
      let matched = 0;
      const missing: string[] = [];
      const extra: string[] = [];
      for (const rebuilt of recorded) {
        const expected = everything(rebuilt);
        const index = unused.findIndex(raw =>
          rebuilt.responseId === undefined
            ? raw.model === rebuilt.model && everything(raw).join() === expected.join()
            : raw.responseId === rebuilt.responseId,
        );
        const [raw] = index < 0 ? [] : unused.splice(index, 1);
        assert.ok(raw !== undefined, `line ${rebuilt.request.line}: the server received no such request`);
        const difference = compare(everything(raw), expected);
        matched += difference.matched;
        missing.push(...difference.missing);
        extra.push(...difference.extra);
        assert.equal(rebuilt.model, raw.model);
        // If a text was cut into pieces, its mark is on the last of them.
        assert.equal(rebuilt.breakpoints.length, raw.breakpoints.length);
        rebuilt.breakpoints.forEach((text, index) => assert.ok(raw.breakpoints[index]?.endsWith(text)));
      }
      context.diagnostic(
        `${recorded.length} requests, ${matched} blocks matched, ${missing.length} missing, ${extra.length} extra`,
      );
      assert.deepEqual({ missing: short(missing), extra: short(extra) }, { missing: '', extra: '' });
      assert.ok(recorded.length > 0 && recorded.length === found.length);
      assert.ok(found.every(({ request }) => request.complete));
      assert.ok(opened.transcript.problems.every(({ kind }) => kind !== 'missingRequestContent'));
    });
  }

  for (const { path, run, name } of someOf(files, 5)) {
    it(`reconstructs the requests of ${name} without records`, async context => {
      const lines = readUnpacked(path).toString().split('\n');
      const opened = await openBytes(
        lines.filter(line => !line.startsWith('{"type":"api-request')).join('\n'),
      );
      const raw = new Map(rawRequests(run).map(request => [request.responseId ?? '', request]));
      const found = await rebuiltRequests(opened);
      let matched = 0;
      const missing: string[] = [];
      const extra: string[] = [];
      for (const rebuilt of found) {
        const expected = raw.get(rebuilt.responseId ?? '');
        assert.ok(expected, `line ${rebuilt.request.line}: the server received no such request`);
        const difference = compare(keys(joined(expected.content)), keys(joined(rebuilt.content)));
        matched += difference.matched;
        missing.push(...difference.missing);
        extra.push(...difference.extra);
      }
      context.diagnostic(
        `${found.length} requests, ${matched} blocks matched, ${missing.length} missing, ${extra.length} extra`,
      );
      assert.deepEqual({ missing: short(missing), extra: short(extra) }, { missing: '', extra: '' });
      assert.ok(found.length > 0 && found.every(({ request }) => !request.complete));
    });
  }
});
