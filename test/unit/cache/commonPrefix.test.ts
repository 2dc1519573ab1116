import assert from 'node:assert/strict';
import { basename, dirname, join, relative } from 'node:path';
import { describe, it } from 'node:test';
import { arrayAt, isArray, isObject, member, objectAt, stringAt } from '../../../src/core/base/json';
import { predictPrefixes } from '../../../src/core/view/predictPrefix';
import { filesBelow, readUnpacked, shared, skipWithout } from '../../fixtures/sharedFiles';
import { openBytes } from '../../fixtures/transcriptBytes';
import { isDeep, someOf } from '../../fixtures/variants';

const captures = [
  ...filesBelow(join(shared, 'agent-runs'), 'raw-requests.jsonl', 'raw-requests.jsonl.gz'),
  join(shared, 'samples', 'claude-trace', 'test-traffic.jsonl'),
];

/** Marks for the provider's cache, and Gemini's signatures of thoughts: a resumed session sends different ones. */
const leftOut = new Set(['cache_control', 'thoughtSignature']);

/** A value as JSON with sorted members, without members that are left out or null, which means the same as absent. */
function plain(value: unknown): string {
  if (isArray(value)) {
    return `[${value.map(plain).join(',')}]`;
  }
  if (!isObject(value)) {
    return JSON.stringify(value ?? null);
  }
  return `{${Object.keys(value)
    .filter(key => !leftOut.has(key) && value[key] !== null)
    .sort()
    .map(key => `${key}:${plain(member(value, key))}`)
    .join(',')}}`;
}

function partsOf(content: unknown): readonly unknown[] {
  return isArray(content)
    ? content
    : typeof content === 'string' && content !== ''
      ? [{ type: 'text', text: content }]
      : [];
}

/**
 * The elements of a request body in the order of the cached prefix: tools, system, then every part of every message.
 */
function elementsOf(body: unknown): readonly string[] {
  const whole = (name: string, values: readonly unknown[]): readonly string[] =>
    values.map(value => `${name} ${plain(value)}`);
  const messages = ['messages', 'input', 'contents'].flatMap(key => arrayAt(body, key));
  const tools = arrayAt(body, 'tools').flatMap(tool => {
    const declared = arrayAt(tool, 'functionDeclarations');
    return declared.length > 0 ? declared : [tool];
  });
  return [
    ...whole('tool', tools),
    ...whole('system', partsOf(member(body, 'system'))),
    ...whole('system', arrayAt(objectAt(body, 'systemInstruction'), 'parts')),
    ...whole(
      'instructions',
      stringAt(body, 'instructions') === undefined ? [] : [member(body, 'instructions')],
    ),
    ...messages.flatMap(message => {
      const role = `${stringAt(message, 'role') ?? ''} ${stringAt(message, 'tool_call_id') ?? ''}`;
      const reasoning = stringAt(message, 'reasoning_content') ?? '';
      const parts = [...partsOf(member(message, 'content')), ...arrayAt(message, 'parts')];
      const calls = arrayAt(message, 'tool_calls');
      const content = [
        ...whole('reasoning', reasoning === '' ? [] : [reasoning]),
        ...whole(role, parts),
        ...whole('call', calls),
      ];
      // An item of the Responses API without content is a call, a result or reasoning: one block.
      return content.length > 0 || stringAt(message, 'type') === undefined
        ? content
        : whole('item', [message]);
    }),
  ];
}

function commonLength(first: readonly string[], second: readonly string[]): number {
  const end = first.findIndex((element, index) => element !== second[index]);
  return end < 0 ? first.length : end;
}

function bodyOf(line: unknown): unknown {
  return objectAt(line, 'body') ?? objectAt(objectAt(line, 'request'), 'body');
}

/** A cache belongs to a model. If a capture does not name it, only requests of the same conversation are compared. */
function mayShare(
  first: { readonly model?: string; readonly thread: number },
  second: { readonly model?: string; readonly thread: number },
): boolean {
  return first.model === second.model && (second.model !== undefined || first.thread === second.thread);
}

describe('predicted prefix on captured requests', { skip: skipWithout('agent-runs') }, () => {
  let total = 0;
  let compared = 0;

  for (const file of someOf(captures, 5)) {
    it(`is the longest common prefix of the request bodies: ${basename(dirname(file))} of ${relative(shared, file)}`, async test => {
      const bytes = readUnpacked(file);
      const lines = bytes.toString('utf8').split('\n');
      const { transcript } = await openBytes(bytes);
      const bodies = transcript.requests.map(({ line }) =>
        elementsOf(bodyOf(JSON.parse(lines[line - 1] ?? 'null'))),
      );
      // Without times and usage nothing expires, so only equality decides.
      const requests = transcript.requests.map(
        ({ context, length, thread, model, reply, complete, line }) => ({
          context,
          length,
          thread,
          reply,
          complete,
          line,
          ...(model === undefined ? {} : { model }),
        }),
      );
      const predictions = predictPrefixes({
        transcript: { ...transcript, requests },
        rulesOf: () => undefined,
        holds: () => true,
      });
      let counted = 0;
      requests.forEach((request, index) => {
        const body = bodies[index] ?? [];
        const longest = Math.max(
          0,
          ...requests.map((other, number) =>
            number < index && mayShare(other, request) ? commonLength(bodies[number] ?? [], body) : 0,
          ),
        );
        const { equal = 0, source = -1 } = predictions[index] ?? {};
        assert.equal(
          commonLength(bodies[source] ?? [], body),
          longest,
          `request ${index} shares most with request ${source}`,
        );
        // If each element is one block, the lengths can be compared too; some parts are several blocks.
        if (body.length === request.length) {
          counted += 1;
          assert.equal(equal, longest, `equal blocks of request ${index}`);
        }
      });
      total += requests.length;
      compared += counted;
      test.diagnostic(`${counted} of ${requests.length} requests compared block by block`);
    });
  }

  it('was compared block by block for most requests', { skip: !isDeep && 'only of all captures' }, () => {
    // Some parts are several blocks: a result with images, an item that lists tools.
    assert.ok(compared > 0.85 * total, `${compared} of ${total}`);
  });
});
