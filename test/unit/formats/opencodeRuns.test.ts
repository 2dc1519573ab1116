import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import {
  arrayAt,
  isArray,
  isObject,
  member,
  numberAt,
  objectAt,
  stringAt,
  toJson,
} from '../../../src/core/base/json';
import { decoderTools } from '../../../src/node/databases/database';
import {
  compareBlocks,
  contextOf,
  type OpenedTranscript,
  openTranscriptBytes,
  problemsOf,
  readJsonLines,
  readUnpacked,
  sharedFolder,
  totalUsage,
} from '../../fixtures/openedTranscript';

const folder = 'agent-runs/opencode/1.18.34';

/**
 * The text that opencode sends to providers that accept no images in tool results. The session does not record the
 * provider's kind.
 */
const imagesFollow = 'user: Attached media from tool result:';

function sentBlocks(body: unknown): string[] {
  const tools = arrayAt(body, 'tools').map(tool => `system: ${toJson(tool)}`);
  const system = arrayAt(body, 'system').map(part => `system: ${stringAt(part, 'text') ?? ''}`);
  return [...tools, ...system, ...arrayAt(body, 'messages').flatMap(sentMessage)];
}

function sentMessage(message: unknown): string[] {
  const role = stringAt(message, 'role') ?? '';
  const content = member(message, 'content');
  if (role === 'tool') {
    return [`tool: ${String(content)}`];
  }
  const reasoning = stringAt(message, 'reasoning_content');
  return [
    ...(reasoning === undefined ? [] : [`assistant: ${reasoning}`]),
    ...(typeof content === 'string' && content !== '' ? [`${role}: ${content}`] : []),
    ...(isArray(content) ? content : []).flatMap(part => sentPart(role, part)),
    ...arrayAt(message, 'tool_calls').map(
      call => `assistant: ${stringAt(objectAt(call, 'function'), 'arguments') ?? ''}`,
    ),
  ];
}

function sentPart(role: string, part: unknown): string[] {
  const image = (url: string): string => url.slice(url.indexOf(',') + 1);
  switch (stringAt(part, 'type')) {
    case 'thinking':
      return [`${role}: ${stringAt(part, 'thinking') ?? ''}`];
    case 'tool_use':
      return [`${role}: ${toJson(member(part, 'input'))}`];
    case 'image':
      return [`tool: ${stringAt(objectAt(part, 'source'), 'data') ?? ''}`];
    case 'image_url':
      return [`tool: ${image(stringAt(objectAt(part, 'image_url'), 'url') ?? '')}`];
    case 'tool_result': {
      const content = member(part, 'content');
      return typeof content === 'string'
        ? [`tool: ${content}`]
        : (isArray(content) ? content : []).flatMap(item =>
            stringAt(item, 'type') === 'text'
              ? [`tool: ${stringAt(item, 'text') ?? ''}`]
              : sentPart('tool', item),
          );
    }
    case undefined:
    default:
      return [`${role}: ${stringAt(part, 'text') ?? toJson(part)}`];
  }
}

interface Sent {
  readonly body: unknown;
  readonly session: string;
  readonly class: string;
}

/** The requests of the conversation, without those that give it a title. */
function sentRequests(file: string): Sent[] {
  return readJsonLines(file)
    .map(record => ({
      body: member(record, 'body'),
      session: stringAt(objectAt(record, 'headers'), 'x-opencode-session-id') ?? '',
      class: stringAt(record, 'class') ?? '',
    }))
    .filter(sent => sent.class !== 'title');
}

/** The newest export of each session of a case. */
function newestExports(path: string): string[] {
  const names = readdirSync(path).filter(name => /^(export|child)-.*\.json(\.gz)?$/.test(name));
  const newest = new Map<string, { readonly name: string; readonly number: number }>();
  for (const name of names) {
    const number = Number(/after-(\d+)/.exec(name)?.[1]);
    const session = name.replace(/-?after-.*/, '');
    if ((newest.get(session)?.number ?? 0) < number) {
      newest.set(session, { name, number });
    }
  }
  return [...newest.values()].map(({ name }) => join(path, name));
}

interface Figures {
  requests: number;
  matched: number;
  missing: number;
  extra: number;
}

const figures: Figures = { requests: 0, matched: 0, missing: 0, extra: 0 };

function compare(opened: OpenedTranscript, thread: number, sent: readonly Sent[], where: string): void {
  const numbers = [...opened.transcript.requests.keys()].filter(
    number => opened.transcript.requests[number]?.thread === thread,
  );
  assert.equal(numbers.length, sent.length, `${where}: number of requests`);
  sent.forEach(({ body, class: kind }, index) => {
    const number = numbers[index] ?? -1;
    const context = contextOf(opened, number);
    figures.requests += 1;
    if (kind === 'compact') {
      // One text that contains the history: it includes every block of ours, in order.
      const told = sentBlocks(body).at(-1) ?? '';
      let from = 0;
      for (const block of context) {
        const text = block.slice(block.indexOf(': ') + 2);
        const at = told.indexOf(text, from);
        assert.ok(
          at >= 0,
          `${where}, request ${index}: not in the request for a summary: ${text.slice(0, 100)}`,
        );
        from = at + text.length;
        figures.matched += 1;
      }
      return;
    }
    const { matched, missing, extra } = compareBlocks(sentBlocks(body), context);
    figures.matched += matched;
    figures.missing += missing.length;
    figures.extra += extra.length;
    assert.deepEqual(extra, [], `${where}, request ${index}: not sent`);
    const unexplained = missing.filter(block => !block.startsWith('system: ') && block !== imagesFollow);
    assert.deepEqual(unexplained, [], `${where}, request ${index}: not reconstructed`);
  });
}

/** Sums of a session as opencode stores them; its output excludes the reasoning. */
function ownTotals(session: unknown) {
  const tokens = objectAt(objectAt(session, 'info'), 'tokens');
  const cache = objectAt(tokens, 'cache');
  const reasoning = numberAt(tokens, 'reasoning') ?? 0;
  return {
    input: numberAt(tokens, 'input'),
    cacheRead: numberAt(cache, 'read'),
    cacheWrite: numberAt(cache, 'write'),
    output: (numberAt(tokens, 'output') ?? 0) + reasoning,
    reasoning,
  };
}

function casesOf(test: TestContext): { readonly name: string; readonly path: string }[] {
  const path = sharedFolder(test, folder);
  return path === undefined
    ? []
    : readdirSync(path, { withFileTypes: true })
        .filter(entry => entry.isDirectory())
        .map(({ name }) => ({ name, path: join(path, name) }));
}

describe('opencode beside the requests that were really sent', () => {
  it('reconstructs every request from the newest export', async test => {
    for (const { name, path } of casesOf(test)) {
      const sent = sentRequests(join(path, 'raw-requests.jsonl.gz'));
      for (const file of newestExports(join(path, 'exports'))) {
        const opened = await openTranscriptBytes(readUnpacked(file));
        assert.equal(opened.transcript.format, 'opencode');
        const own = sent.filter(({ session }) => session === opened.transcript.sessionId);
        compare(opened, 0, own, `${name}, ${opened.transcript.sessionId ?? ''}`);
      }
    }
    test.diagnostic(
      `opencode 1.18.34, exports: ${figures.requests} requests, blocks matched ${figures.matched}, ` +
        `missing ${figures.missing} (system prompt, tool schemas, the line above images), extra ${figures.extra}`,
    );
  });

  it('reads every export without a problem, with the totals of the session', async test => {
    let files = 0;
    for (const { path } of casesOf(test)) {
      for (const name of readdirSync(join(path, 'exports')).filter(file => /\.json(\.gz)?$/.test(file))) {
        const bytes = readUnpacked(join(path, 'exports', name));
        const opened = await openTranscriptBytes(bytes);
        assert.deepEqual(problemsOf(opened.transcript), {}, name);
        const session: unknown = JSON.parse(Buffer.from(bytes).toString());
        assert.deepEqual(totalUsage(opened.transcript), ownTotals(session), name);
        files += 1;
      }
    }
    test.diagnostic(`${files} exports`);
  });

  it('reads the databases, with every session as a thread', async test => {
    for (const { name, path } of casesOf(test)) {
      const file = join(path, 'native/.local/share/opencode/opencode.db.gz');
      const opened = await openTranscriptBytes(readUnpacked(file), { tools: decoderTools });
      const { transcript } = opened;
      assert.equal(transcript.format, 'opencode');
      assert.deepEqual(problemsOf(transcript), {}, name);
      const sent = sentRequests(join(path, 'raw-requests.jsonl.gz'));
      const main = sent.filter(({ session }) => session === transcript.sessionId);
      compare(opened, 0, main, `${name}, database`);
      const children = transcript.subagents;
      for (const { id, thread = -1, callId } of children) {
        assert.notEqual(callId, undefined);
        compare(
          opened,
          thread,
          sent.filter(({ session }) => session === id),
          `${name}, child`,
        );
      }
      assert.equal(isObject(transcript.conversations[0]), false);
    }
  });
});
