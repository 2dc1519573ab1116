import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { getEncoding } from 'js-tiktoken';
import { arrayAt, countAt, member, objectAt, stringAt, timeAt } from '../../src/core/base/json';
import { CacheSession } from '../../src/core/cache/cacheSession';
import { defaultPruneOptions, type PruneOptions } from '../../src/core/model/pruneConfig';
import { pruneNet } from '../../src/core/prune/net';
import { prunePreview } from '../../src/core/prune/prunePreview';
import { cacheQuestions } from '../../src/core/questions/cacheQuestions';
import { openTranscript } from '../../src/core/session/openTranscript';
import { buildRequestView } from '../../src/core/view/requestView';
import { sourceOf } from '../fixtures/transcriptBytes';

const bundled = 'media/example';

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();
}

function linesOf(path: string): unknown[] {
  const text = readFileSync(join(bundled, path), 'utf8');
  assert.ok(text.endsWith('\n'));
  return text
    .trimEnd()
    .split('\n')
    .map((line): unknown => JSON.parse(line));
}

const typeOf = (line: unknown): string => stringAt(line, 'type') ?? '';
const contentOf = (line: unknown): readonly unknown[] => arrayAt(objectAt(line, 'message'), 'content');
const isHuman = (line: unknown): boolean => stringAt(objectAt(line, 'origin'), 'kind') === 'human';

/** The last line of every reply, in the order of the replies' first lines. */
function repliesOf(lines: readonly unknown[]): unknown[] {
  const replies = new Map<string, unknown>();
  for (const line of lines.filter(candidate => typeOf(candidate) === 'assistant')) {
    replies.set(stringAt(objectAt(line, 'message'), 'id') ?? '', line);
  }
  return [...replies.values()];
}

interface Usage {
  readonly total: number;
  readonly read: number;
  readonly written: number;
  readonly output: number;
}

function usageOf(line: unknown): Usage {
  const usage = objectAt(objectAt(line, 'message'), 'usage');
  const read = countAt(usage, 'cache_read_input_tokens');
  const written = countAt(usage, 'cache_creation_input_tokens');
  return {
    total: countAt(usage, 'input_tokens') + read + written,
    read,
    written,
    output: countAt(usage, 'output_tokens'),
  };
}

const at = <Item>(items: readonly Item[], index: number): Item => {
  const item = items.at(index);
  assert.ok(item !== undefined);
  return item;
};

describe('bundled example', () => {
  const main = linesOf('session.jsonl');
  const replies = repliesOf(main);
  const usages = replies.map(usageOf);
  const boundary = main.findIndex(line => stringAt(line, 'subtype') === 'compact_boundary');

  it('lies beside the files that the session left', () => {
    const written = new Map<string, string>();
    for (const result of main.map(line => objectAt(line, 'toolUseResult'))) {
      const text = stringAt(result, 'newString') ?? stringAt(result, 'content');
      const path = stringAt(result, 'filePath');
      if (text !== undefined && path !== undefined) {
        written.set(path, text);
      }
    }
    assert.ok(written.size > 20);
    for (const [path, text] of written) {
      const file = path.replace('/home/ada/orbit-ledger/', '');
      assert.ok(
        readFileSync(join(bundled, file), 'utf8').includes(text),
        `${file} lacks what was written last`,
      );
    }
  });

  it('is a session of believable size', () => {
    assert.ok(replies.length >= 45 && replies.length <= 60, `${replies.length} requests`);
    const blocks = main.reduce<number>((sum, line) => sum + Math.max(1, contentOf(line).length), 0);
    assert.ok(blocks >= 250 && blocks <= 400, `${blocks} blocks`);
    const bytes = filesBelow(bundled).reduce(
      (sum, path) => sum + readFileSync(join(bundled, path)).length,
      0,
    );
    assert.ok(bytes >= 800_000 && bytes <= 1_500_000, `${bytes} bytes`);
  });

  it('compacts once, when the window is nearly full, and sends its context again', () => {
    assert.equal(main.filter(line => stringAt(line, 'subtype') === 'compact_boundary').length, 1);
    assert.equal(member(main[boundary + 1], 'isCompactSummary'), true);
    assert.equal(typeOf(main[boundary + 2]), 'attachment');
    const before = countAt(objectAt(main[boundary], 'compactMetadata'), 'preTokens');
    assert.ok(before > 150_000 && before < 200_000);
    const next = usageOf(repliesOf(main.slice(boundary))[0]);
    assert.ok(next.total < 25_000 && next.read > 15_000);
  });

  it('reads from the cache what the request before left there, but for a compaction and one long pause', () => {
    const breaks = usages.flatMap((usage, index) => {
      const before = usages[index - 1];
      return before === undefined || usage.read === before.read + before.written ? [] : [index];
    });
    assert.equal(breaks.length, 2);
    const [compaction, pause] = [at(breaks, 0), at(breaks, 1)];
    assert.equal(repliesOf(main.slice(0, boundary)).length, compaction);
    assert.equal(at(usages, pause).read, 0);
    const waited =
      (timeAt(replies[pause], 'timestamp') ?? 0) - (timeAt(replies[pause - 1], 'timestamp') ?? 0);
    assert.ok(waited > 7 * 60_000 && waited < 8 * 60_000);
  });

  it('has a break whose cause is shown, where a small prune pays, and a large one at the end that does not', async () => {
    const opened = await openTranscript(sourceOf(readFileSync(join(bundled, 'session.jsonl'))), {
      fileName: 'session.jsonl',
      scanner: { scan: () => Promise.resolve([]) },
    });
    assert.ok(opened.ok);
    await opened.session.countTokens();
    const session = opened.session.toSession();
    const pause = usages.findLastIndex(({ read }) => read === 0);
    const lost = (await cacheQuestions(opened.session).report()).findings.find(
      ({ request }) => request === pause,
    );
    assert.deepEqual(lost?.causes, ['lifetimeExpired']);
    assert.equal(lost.certainty, 'shown');
    // Everything that the previous request had read and written was paid for again.
    const before = at(usages, pause - 1);
    assert.equal(lost.tokensLost, before.read + before.written);
    const netAt = (request: number, options: PruneOptions) => {
      const view = buildRequestView(session.columns, request);
      const preview = prunePreview(session.columns, view, options);
      return pruneNet(new CacheSession(session), view, preview, options);
    };
    const cold = netAt(pause, { ...defaultPruneOptions(), protectTokens: 30_000, minimumTokens: 3_000 });
    assert.equal(cold.state, 'cold');
    assert.ok((cold.worth?.gained.money ?? 0) > 0);
    const last = netAt(usages.length - 1, defaultPruneOptions());
    assert.equal(last.state, 'warm');
    assert.ok((last.worth?.gained.money ?? 0) < 0);
  });

  it('records usage that agrees with the visible text', () => {
    const encoding = getEncoding('o200k_base');
    const count = (text: string): number => encoding.encode(text, 'all').length;
    const tokensOf = (item: unknown): number => {
      switch (stringAt(item, 'type')) {
        case 'text':
          return count(stringAt(item, 'text') ?? '');
        case 'thinking':
          return count(stringAt(item, 'thinking') ?? '');
        case 'tool_use':
          return count(`${stringAt(item, 'name') ?? ''} ${JSON.stringify(member(item, 'input'))}`);
        case 'tool_result':
          return count(stringAt(item, 'content') ?? '');
        case undefined:
        default:
          // For an image, the size in pixels counts, not the text.
          return 13;
      }
    };
    let visible = 0;
    const seen = new Set<string>();
    for (const line of main) {
      if (stringAt(line, 'subtype') === 'compact_boundary') {
        visible = 0;
      }
      const id = typeOf(line) === 'assistant' ? (stringAt(objectAt(line, 'message'), 'id') ?? '') : undefined;
      if (id !== undefined && !seen.has(id)) {
        seen.add(id);
        // System prompt and tools are not in the file.
        assert.ok(Math.abs(usageOf(line).total - (16_480 + visible * 1.21)) < 5, stringAt(line, 'uuid'));
      }
      const text = stringAt(objectAt(line, 'message'), 'content');
      visible += text === undefined ? 0 : count(text);
      visible += contentOf(line).reduce<number>((sum, item) => sum + tokensOf(item), 0);
      visible += arrayAt(line, 'rendered').reduce<number>(
        (sum, item) => sum + count(stringAt(item, 'content') ?? ''),
        0,
      );
    }
  });

  it('repeats the usage on every line of a reply, and has the whole output on the last', () => {
    for (const reply of replies) {
      const id = stringAt(objectAt(reply, 'message'), 'id');
      const lines = main.filter(line => stringAt(objectAt(line, 'message'), 'id') === id).map(usageOf);
      const last = at(lines, -1);
      for (const usage of lines) {
        assert.deepEqual({ ...usage, output: 0 }, { ...last, output: 0 });
        assert.ok(usage.output <= last.output);
      }
    }
  });

  it('has enough old tool results for a prune by the default rules', () => {
    const humans = main.flatMap((line, index) => (isHuman(line) ? [index] : []));
    const old = main.slice(boundary, at(humans, -2)).flatMap(contentOf);
    const characters = old.reduce<number>((sum, item) => sum + (stringAt(item, 'content') ?? '').length, 0);
    // 40,000 tokens are protected and more than 20,000 must be freed, by the rough measure of four characters per
    // token.
    assert.ok(characters / 4 > 60_000, `${characters} characters`);
  });

  it('starts one subagent, whose own file adds up to what its result says', () => {
    const calls = main.flatMap(contentOf).filter(item => stringAt(item, 'name') === 'Task');
    assert.equal(calls.length, 1);
    const results = main
      .map(line => objectAt(line, 'toolUseResult'))
      .filter(result => stringAt(result, 'agentId') !== undefined);
    assert.equal(results.length, 1);
    const agentId = stringAt(results[0], 'agentId') ?? '';
    assert.deepEqual(readdirSync(join(bundled, 'session/subagents')), [`agent-${agentId}.jsonl`]);
    const child = linesOf(`session/subagents/agent-${agentId}.jsonl`);
    assert.ok(
      child.every(line => stringAt(line, 'agentId') === agentId && member(line, 'isSidechain') === true),
    );
    const used = usageOf(at(repliesOf(child), -1));
    assert.ok(Math.abs(countAt(results[0], 'totalTokens') - used.total - used.output) < 20);
  });

  it('holds what the views are to show: interruption, failed calls, image, todo lists, parallel calls, fake secrets', () => {
    const items = main.flatMap(contentOf);
    const text = readFileSync(join(bundled, 'session.jsonl'), 'utf8');
    const nameCount = (name: string): number => items.filter(item => stringAt(item, 'name') === name).length;
    assert.match(text, /\[Request interrupted by user for tool use\]/);
    assert.ok(items.filter(item => member(item, 'is_error') === true).length >= 3);
    assert.equal(items.filter(item => stringAt(item, 'type') === 'image').length, 1);
    assert.ok(nameCount('TodoWrite') >= 3);
    assert.ok(items.filter(item => stringAt(item, 'type') === 'thinking').length > 15);
    assert.match(text, /DATABASE_PASSWORD=/);
    assert.match(text, /mira\.kovacs@orbit-ledger\.dev/);
    const isInterleaved = main.some(
      (line, index) =>
        typeOf(line) === 'user' &&
        typeOf(main[index + 1]) === 'assistant' &&
        stringAt(objectAt(main[index + 1], 'message'), 'id') ===
          stringAt(objectAt(main[index - 1], 'message'), 'id'),
    );
    assert.ok(isInterleaved);
  });

  it('names files that lie beside it', () => {
    const root = stringAt(
      main.find(line => stringAt(line, 'cwd') !== undefined),
      'cwd',
    );
    const files = new Set(filesBelow(bundled));
    const edited = main
      .flatMap(contentOf)
      .filter(item => stringAt(item, 'name') === 'Edit')
      .map(item => stringAt(objectAt(item, 'input'), 'file_path') ?? '');
    assert.ok(edited.length > 20);
    for (const path of edited) {
      assert.ok(files.has(path.slice(`${root ?? ''}/`.length)), path);
    }
  });
});
