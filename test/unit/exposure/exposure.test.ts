import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { SessionExposure } from '../../../src/core/exposure/exposure';
import { providerOf } from '../../../src/core/exposure/provider';
import type { SessionColumns } from '../../../src/core/model/columns';
import { lookUpModel } from '../../../src/core/tokens/modelTable';
import { buildRequestView } from '../../../src/core/view/requestView';
import { assertLinear } from '../../fixtures/linearWork';
import { Random } from '../../generator/random';
import { HandMade, measuresOf, toColumns } from '../session/handMade';

const models = ['claude-opus-4-5', 'gpt-5.1', 'acme-1'] as const;

/** Three contexts with common blocks, some of which leave without a record; one context has two conversations. */
function randomSession(seed: number): SessionColumns {
  const random = new Random(seed);
  const made = new HandMade();
  const { contexts } = made.builder;
  const numbers = [0, 1, 2].map(() => made.builder.startContext());
  for (let request = 0; request < 40; request += 1) {
    const context = numbers[random.below(3)] ?? 0;
    for (let added = random.below(4); added > 0; added -= 1) {
      const block = made.prompt(`text ${seed} ${request} ${added}`);
      contexts[context]?.push(random.chance(0.3) ? random.below(block + 1) : block);
    }
    const [input, cacheRead, cacheWrite] = [random.below(300), random.below(900), random.below(300)];
    made.request(context, contexts[context]?.length ?? 0, {
      thread: context === 2 ? random.below(2) : 0,
      model: models[random.below(3)] ?? '',
      ...(random.chance(0.7) ? { usage: { input, cacheRead, cacheWrite, output: 5 } } : {}),
    });
  }
  const transcript = made.build();
  const columns = toColumns(
    transcript,
    measuresOf(transcript, block => 10 + (block % 37)),
  );
  const leftAt = columns.blocks.leftAt.map(() => (random.chance(0.3) ? random.below(45) : -1));
  const frozenPrefixLen = columns.requests.frozenPrefixLen.map(() => Math.max(-1, random.below(8) - 3));
  return {
    ...columns,
    blocks: { ...columns.blocks, leftAt },
    requests: { ...columns.requests, frozenPrefixLen },
  };
}

/** The same figures, by looking into every request. */
function counted(columns: SessionColumns, content: readonly number[]) {
  const { requests, blocks, contexts, strings } = columns;
  const figures = { requests: 0, cached: 0, recorded: 0, declared: 0, declaring: 0, first: -1, last: -1 };
  const threads = new Map<number, number>();
  const byModel = new Map<string, number>();
  requests.context.forEach((context, request) => {
    const held = [...(contexts[context] ?? [])].slice(0, requests.length[request]);
    const isCarried = (block: number): boolean =>
      content.includes(block) && ((blocks.leftAt[block] ?? -1) < 0 || request < (blocks.leftAt[block] ?? 0));
    const place = held.findIndex(isCarried);
    if (place < 0) {
      return;
    }
    const { recorded } = buildRequestView(columns, request);
    const turns = requests.frozenPrefixLen[request] ?? -1;
    const messages = new Set(held.slice(0, place + 1).map(block => blocks.message[block]));
    figures.requests += 1;
    figures.recorded += recorded === undefined ? 0 : 1;
    figures.cached += place < (recorded?.blocks ?? 0) ? 1 : 0;
    figures.declaring += turns < 0 ? 0 : 1;
    figures.declared += turns >= 0 && messages.size <= turns ? 1 : 0;
    figures.first = figures.first < 0 ? request : figures.first;
    figures.last = request;
    const thread = requests.thread[request] ?? 0;
    const model = strings.at(requests.model[request] ?? 0) ?? '';
    threads.set(thread, (threads.get(thread) ?? 0) + 1);
    byModel.set(model, (byModel.get(model) ?? 0) + 1);
  });
  return { ...figures, threads: [...threads].sort(), models: [...byModel].sort() };
}

describe('exposure', () => {
  it('is what looking into every request finds, for blocks and for contents of several blocks', () => {
    for (let seed = 1; seed <= 25; seed += 1) {
      const columns = randomSession(seed);
      const random = new Random(1000 + seed);
      const count = columns.blocks.line.length;
      const contents = [
        ...Array.from({ length: count }, (_, block) => [block]),
        ...Array.from({ length: 40 }, () =>
          Array.from({ length: 1 + random.below(5) }, () => random.below(count)),
        ),
      ];
      const found = new SessionExposure(columns, { models: [], compactions: [] }).of(contents);
      found.forEach(({ threads, models: byModel, ...figures }, index) => {
        assert.deepEqual(
          {
            ...figures,
            threads: threads.map(({ thread, requests }) => [thread, requests]).sort(),
            models: byModel.map(({ model, requests }) => [model, requests]).sort(),
          },
          counted(columns, contents[index] ?? []),
          `seed ${seed}, blocks ${contents[index]?.join(' ') ?? ''}`,
        );
      });
    }
  });

  it('says what ended it in each conversation', () => {
    const made = new HandMade();
    const [first = -1, second = -1, third = -1] = ['one', 'two', 'three'].map(text => made.prompt(text));
    const before = made.builder.startContext([first, second]);
    const after = made.builder.startContext([third]);
    made.request(before, 2);
    made.request(before, 2, { thread: 1 });
    made.request(before, 2);
    made.request(after, 1);
    const columns = toColumns(
      made.build(),
      measuresOf(made.build(), () => 10),
    );
    const endings = (
      compactions: readonly { readonly kind: 'compaction' | 'clearing'; readonly request: number }[],
      left = -1,
    ) =>
      new SessionExposure(
        { ...columns, blocks: { ...columns.blocks, leftAt: Int32Array.of(left, -1, -1) } },
        { models: [], compactions: compactions.map(each => ({ ...each, thread: 0, line: 1 })) },
      )
        .of([[first]])
        .flatMap(({ threads }) => threads.map(({ thread, last, ended }) => [thread, last, ended]));
    assert.deepEqual(endings([{ kind: 'compaction', request: 3 }]), [
      [0, 2, 'compaction'],
      [1, 1, undefined],
    ]);
    assert.deepEqual(endings([{ kind: 'clearing', request: 3 }])[0], [0, 2, 'clearing']);
    assert.deepEqual(endings([{ kind: 'compaction', request: 1 }])[0], [0, 2, 'rewritten']);
    assert.deepEqual(endings([], 2)[0], [0, 0, 'left']);
  });

  it('takes time in proportion to blocks and requests', async () => {
    const growing = (size: number): SessionColumns => {
      const made = new HandMade();
      const blocks = Array.from({ length: size }, (_, index) => made.prompt(`${index}`));
      const context = made.builder.startContext(blocks);
      blocks.forEach((_, index) => made.request(context, index + 1));
      const transcript = made.build();
      return toColumns(
        transcript,
        measuresOf(transcript, () => 10),
      );
    };
    await assertLinear(32_000, growing, columns => {
      const blocks = Array.from(columns.blocks.line, (_, block) => [block]);
      const found = new SessionExposure(columns, { models: [], compactions: [] }).of(blocks);
      const middle = blocks.length >> 1;
      assert.equal(found[middle]?.requests, blocks.length - middle);
    });
  });

  it('names the provider as far as the model tells it', () => {
    const cases = {
      'claude-opus-4-5-20251101': 'Anthropic by model',
      'us.anthropic.claude-sonnet-4-5-20250929-v1:0': 'Amazon Bedrock by name',
      'claude-sonnet-4-5@20250929': 'Google Vertex AI by name',
      'openrouter/anthropic/claude-opus-4.5': 'OpenRouter by name',
      'gpt-5.1': 'OpenAI by model',
      'acme-1': 'unknown',
    };
    for (const [id, expected] of Object.entries(cases)) {
      const provider = providerOf(id, lookUpModel(id));
      assert.equal(provider === undefined ? 'unknown' : `${provider.name} by ${provider.from}`, expected);
    }
  });
});
