import type { Session } from '../../src/core/model/columns';
import { type MadeBlock, type MadeRequest, makeColumns, makeSummary } from './sessionBuilder';

/** A repeatable sequence of numbers from 0 to 1 (Numerical Recipes' linear congruential generator). */
function numbersFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const files = [
  'src/dates/parser.ts',
  'test/dates.spec.ts',
  'src/dates/zones.ts',
  'src/orders/import.ts',
  'src/orders/schema.ts',
  'docs/time.md',
  'src/dates/format.ts',
];

/**
 * 60 requests of someone who repairs a date parser: a compaction, files from outside, an environment file with keys.
 */
export function sampleSession(): Session {
  const random = numbersFrom(20_261_012);
  const between = (low: number, high: number): number => Math.round(low + random() * (high - low));
  const pick = (list: readonly string[]): string => list[Math.floor(random() * list.length)] ?? '';
  const blocks: MadeBlock[] = [];
  const contexts: number[][] = [[]];
  const requests: MadeRequest[] = [];
  const notRecorded = 15_240;
  const scale = 1.11;
  let message = -1;
  let previousTotal = 0;
  let calls = 0;

  const context = (): number[] => contexts[contexts.length - 1] ?? [];
  const add = (block: MadeBlock): void => {
    context().push(blocks.push({ message, ...block }) - 1);
  };
  const say = (block: MadeBlock): void => {
    message += 1;
    add(block);
  };
  const tool = (name: string, object: string, tokens: number, more: Partial<MadeBlock> = {}): void => {
    calls += 1;
    const shared = {
      label: `${name} ${object}`,
      tool: name,
      callId: `toolu_${String(calls).padStart(4, '0')}`,
    };
    add({ ...shared, kind: 'toolCall', tokens: between(60, 240) });
    message += 1;
    add({ ...shared, kind: 'toolResult', tokens, ...more });
  };
  const request = (more: Partial<MadeRequest> = {}, readShare = 1): void => {
    const visible = context().reduce((sum, block) => sum + (blocks[block]?.tokens ?? 0), 0);
    const total = notRecorded + Math.round(visible * scale);
    const cacheRead = Math.round(previousTotal * readShare);
    const before = requests.at(-1);
    const extendsPrevious = before?.context === contexts.length - 1;
    requests.push({
      context: contexts.length - 1,
      length: context().length,
      usage: { input: 12, cacheRead, cacheWrite: Math.max(0, total - cacheRead - 12) },
      predictedBlocks: extendsPrevious ? before.length : before === undefined ? 0 : 3,
      predictionReason: extendsPrevious
        ? 'extendsPrevious'
        : before === undefined
          ? 'firstRequest'
          : 'compaction',
      scale,
      scaleError: 0.03,
      ...more,
    });
    previousTotal = total;
  };
  const memory = (): void => {
    add({
      kind: 'injected',
      label: 'CLAUDE.md',
      tokens: 2140,
      partition: 'knowledge',
      provenance: 'memory',
      path: '/work/dates/CLAUDE.md',
    });
    add({ kind: 'injected', label: 'skills', tokens: 1180, partition: 'knowledge', provenance: 'developer' });
    add({
      kind: 'injected',
      label: 'MCP instructions',
      tokens: 1630,
      partition: 'knowledge',
      provenance: 'retrieval',
    });
  };
  const step = (): void => {
    message += 1;
    if (random() < 0.4) {
      add({
        kind: 'thinking',
        label: 'The failing zone is the one with a half-hour offset',
        tokens: between(180, 900),
      });
    }
    if (random() < 0.5) {
      add({
        kind: 'assistant',
        label: 'I will check how the parser handles the offset',
        tokens: between(70, 420),
      });
    }
    const kind = random();
    if (kind < 0.42) {
      const file = pick(files);
      tool('Read', file.split('/').at(-1) ?? file, between(1800, 7200), { path: `/work/dates/${file}` });
    } else if (kind < 0.62) {
      tool('Bash', pick(['npm test', 'git diff', 'npm run lint', 'node repro.js']), between(600, 6200));
    } else if (kind < 0.8) {
      tool('Grep', pick(['parseDate', 'offsetOf', 'isLeap', 'new Date(']), between(350, 3400));
    } else {
      tool('Edit', pick(files).split('/').at(-1) ?? '', between(180, 900));
    }
  };

  message = 0;
  memory();
  add({
    kind: 'injected',
    label: '@orders.csv',
    tokens: 2960,
    partition: 'knowledge',
    provenance: 'user',
    sensitivity: 'private',
    findings: 14,
    path: '/home/sam/export/orders.csv',
  });
  add({
    kind: 'prompt',
    label: 'The date parser fails on some machines. Find out why and repair it',
    tokens: 190,
  });
  request();
  for (let index = 0; index < 21; index += 1) {
    step();
    if (index === 4) {
      add({ kind: 'injected', label: 'todo list 2/7', tokens: 240, provenance: 'developer' });
    }
    if (index === 11) {
      say({ kind: 'prompt', label: 'Look at the import of orders as well', tokens: 90 });
    }
    request({}, index === 14 ? 0.18 : 1);
  }

  // The agent compacts: the memory files are added again, then the summary, then the two newest results.
  const kept = context().slice(-2);
  contexts.push([]);
  message += 1;
  memory();
  add({
    kind: 'injected',
    label: '@orders.csv',
    tokens: 2960,
    partition: 'knowledge',
    provenance: 'user',
    sensitivity: 'private',
    findings: 14,
    path: '/home/sam/export/orders.csv',
  });
  say({ kind: 'summary', label: 'Summary: the parser ignores half-hour offsets', tokens: 3380, flags: 4 });
  context().push(...kept);
  const compactedAt = requests.length;
  request({}, 0.12);
  for (let index = 0; index < 37; index += 1) {
    step();
    if (index === 6) {
      tool('Read', 'local.env', 2318, {
        sensitivity: 'restricted',
        findings: 2,
        path: '/work/dates/config/local.env',
      });
    }
    if (index === 3 || index === 17 || index === 30) {
      add({
        kind: 'injected',
        label: `todo list ${index === 3 ? 4 : index === 17 ? 5 : 6}/7`,
        tokens: between(220, 310),
        provenance: 'developer',
      });
    }
    if (index === 12) {
      tool('Bash', 'git log', 3150, { sensitivity: 'private', findings: 6 });
    }
    if (index === 13 || index === 22) {
      add({
        kind: 'injected',
        label: 'hook: lint after edit',
        tokens: between(300, 700),
        provenance: 'tool',
      });
    }
    if (index === 15 || index === 27) {
      say({
        kind: 'prompt',
        label: index === 15 ? 'Now the tests, please' : 'Write it up in the changelog',
        tokens: 60,
      });
    }
    if (index === 19) {
      add({ kind: 'image', label: 'image 1280 × 720', tokens: 1460, characters: 0 });
    }
    if (index === 24) {
      add({
        kind: 'injected',
        label: 'zones.md',
        tokens: 2870,
        partition: 'knowledge',
        provenance: 'retrieval',
        path: '/work/dates/docs/zones.md',
      });
    }
    if (index === 26) {
      tool('Read', 'contacts.json', 2540, {
        sensitivity: 'private',
        findings: 9,
        path: '/home/sam/contacts.json',
      });
    }
    request({ frozenPrefixLen: 4 }, index === 20 ? 0.4 : index === 36 ? 0.97 : 1);
  }

  const last = requests.length - 1;
  const columns = makeColumns(blocks, contexts, requests, [
    { request: last, positions: [3, (requests[last]?.length ?? 1) - 1] },
  ]);
  return {
    columns,
    summary: makeSummary({
      title: 'Fix the flaky date parser',
      messages: message + 1,
      compactions: [{ kind: 'compaction', request: compactedAt, thread: 0, trigger: 'auto', line: 420 }],
      subagents: [
        {
          id: 'agent-7f21',
          description: 'Find every caller of parseDate',
          callId: 'toolu_0009',
          totalTokens: 48_210,
        },
      ],
      problems: [
        { kind: 'unknownRecord', line: 17, count: 3 },
        { kind: 'truncatedLastLine', line: 846, count: 1 },
      ],
      leftOut: [
        { reason: 'file history snapshot', line: 4, count: 31 },
        { reason: 'progress', line: 22, count: 118 },
      ],
    }),
  };
}
