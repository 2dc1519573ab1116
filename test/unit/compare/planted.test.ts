import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { BreakdownPair, Comparison, DifferenceKind } from '../../../src/core/compare/comparison';
import { compareSessions } from '../../../src/core/compare/compareSessions';
import { differingParts } from '../../../src/core/compare/compareWords';
import { openTranscript } from '../../../src/core/session/openTranscript';
import type { TranscriptSession } from '../../../src/core/session/transcriptSession';
import { sourceOf } from '../../fixtures/transcriptBytes';
import { someOf } from '../../fixtures/variants';

/** A request as it was sent. Each test changes something in it. */
interface Made {
  system: string[];
  readonly tools: Record<string, string>;
  readonly files: string[];
  readonly edits: string[];
  readonly commands: string[];
}

const made = (): Made => ({
  system: ['You work in a bookshop.', 'Answer in short sentences.', 'Never close the door.'],
  tools: { Read: 'Reads a file.', Edit: 'Edits a file.', Bash: 'Runs a command.' },
  files: ['/shop/shelf.ts'],
  edits: ['/shop/door.ts'],
  commands: ['make all'],
});

interface Plant {
  readonly kind: DifferenceKind | 'prompt';
  /** The name expected in the comparison; for the prompt, the line. */
  readonly name: string;
  readonly side: 'first' | 'second' | 'both';
  plant(second: Made): void;
}

const plants: readonly Plant[] = [
  {
    kind: 'prompt',
    name: 'Smile at the customers.',
    side: 'second',
    plant: ({ system }) => system.splice(1, 0, 'Smile at the customers.'),
  },
  {
    kind: 'tools',
    name: 'Fetch',
    side: 'second',
    plant: ({ tools }) => (tools['Fetch'] = 'Fetches a page.'),
  },
  {
    kind: 'tools',
    name: 'Bash',
    side: 'both',
    plant: ({ tools }) => (tools['Bash'] = 'Runs a command in a shell.'),
  },
  { kind: 'read', name: '/shop/till.ts', side: 'second', plant: ({ files }) => files.push('/shop/till.ts') },
  {
    kind: 'edited',
    name: '/shop/window.ts',
    side: 'second',
    plant: ({ edits }) => edits.push('/shop/window.ts'),
  },
  {
    kind: 'commands',
    name: 'make clean',
    side: 'second',
    plant: ({ commands }) => commands.push('make clean'),
  },
];

function requestOf({ system, tools, files, edits, commands }: Made): string {
  const calls = [
    ...files.map(path => ({ name: 'Read', input: { file_path: path }, result: `1\tthe text of ${path}` })),
    ...edits.map(path => ({
      name: 'Edit',
      input: { file_path: path, old_string: 'open', new_string: 'shut' },
      result: `The file ${path} has been updated successfully.`,
    })),
    ...commands.map(command => ({ name: 'Bash', input: { command }, result: `${command}: done` })),
  ];
  return JSON.stringify({
    model: 'claude-sonnet-4-5',
    max_tokens: 100,
    system: [{ type: 'text', text: system.join('\n') }],
    tools: Object.entries(tools).map(([name, description]) => ({
      name,
      description,
      input_schema: { type: 'object', properties: {} },
    })),
    messages: [
      { role: 'user', content: 'Tidy up the shop.' },
      ...calls.flatMap(({ name, input, result }, index) => [
        { role: 'assistant', content: [{ type: 'tool_use', id: `call${index}`, name, input }] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: `call${index}`, content: result }] },
      ]),
    ],
  });
}

async function open(content: string): Promise<TranscriptSession> {
  const opened = await openTranscript(sourceOf(Buffer.from(content)), {
    fileName: 'made.json',
    scanner: { scan: () => Promise.resolve([]) },
  });
  assert.ok(opened.ok, opened.ok ? '' : opened.sentence);
  await opened.session.measure();
  return opened.session;
}

async function compare(first: Made, second: Made, request?: number): Promise<Comparison> {
  return compareSessions(
    { session: await open(requestOf(first)), request },
    { session: await open(requestOf(second)), request },
  );
}

/** The differences in a comparison: the kind, the name and the side. */
function named({ prompt, lists }: Comparison): readonly string[] {
  const lines = prompt.runs.flatMap(({ kind, lines: texts }) =>
    texts.map(text => `prompt ${text} ${kind === 'onlyFirst' ? 'first' : 'second'}`),
  );
  const rows = Object.entries(lists).flatMap(([kind, list]) =>
    list.rows.map(({ name, first, second }) => {
      const side = first === undefined ? 'second' : second === undefined ? 'first' : 'both';
      return `${kind} ${name} ${side}`;
    }),
  );
  return [...lines, ...rows].sort();
}

function assertSums({ first, second, children, name }: BreakdownPair): void {
  if (children.length > 0) {
    const sum = (of: (pair: BreakdownPair) => number): number =>
      children.reduce((total, child) => total + of(child), 0);
    assert.equal(
      sum(child => child.first.tokens),
      first.tokens,
      name,
    );
    assert.equal(
      sum(child => child.second.tokens),
      second.tokens,
      name,
    );
  }
  children.forEach(assertSums);
}

const pairs = plants.flatMap((plant, index) => plants.slice(index + 1).map(other => [plant, other]));

describe('two sessions', () => {
  for (const chosen of [...plants.map(plant => [plant]), ...someOf(pairs, plants.length)]) {
    it(`differ in what was planted: ${chosen.map(({ kind, name }) => `${kind} ${name}`).join(' + ')}`, async () => {
      const second = made();
      chosen.forEach(each => {
        each.plant(second);
      });
      const expected = chosen.map(({ kind, name, side }) => `${kind} ${name} ${side}`).sort();
      for (const request of [undefined, 0]) {
        const comparison = await compare(made(), second, request);
        assert.deepEqual(named(comparison), expected);
        assertSums(comparison.breakdown);
        const { sides, breakdown } = comparison;
        assert.deepEqual(
          [breakdown.first.tokens, breakdown.second.tokens],
          sides.map(({ total }) => total.value),
        );
        const turned = await compare(second, made(), request);
        const mirrored = { first: 'second', second: 'first', both: 'both' } as const;
        assert.deepEqual(
          named(turned),
          chosen.map(({ kind, name, side }) => `${kind} ${name} ${mirrored[side]}`).sort(),
        );
      }
    });
  }

  it('that are the same have no difference', async () => {
    const comparison = await compare(made(), made());
    assert.deepEqual(differingParts(comparison), []);
    assert.equal(comparison.prompt.kind, 'equal');
  });

  it('lead to the block that only one has', async () => {
    const second = made();
    second.files.push('/shop/till.ts');
    const { lists } = await compare(made(), second);
    const place = lists.read.rows[0]?.second?.place;
    // System prompt, three tools, the prompt, one reading, and the call before the result.
    assert.deepEqual(place, { conversation: 0, request: 0, block: 8 });
  });
});
