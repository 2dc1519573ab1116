import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { claudeCodeFile } from '../../generator/claudeCodeFile';
import { codexFile } from '../../generator/codexFile';
import type { EndlessFile } from '../../generator/lines';
import { Random } from '../../generator/random';
import { Texts } from '../../generator/texts';
import { openTranscriptBytes } from '../../fixtures/openedTranscript';

/** The file's steps up to a size, in characters. */
function textOf({ steps }: EndlessFile, characters: number): string {
  let text = '';
  while (text.length < characters) {
    text += steps.next().value;
  }
  return text;
}

const files = [
  {
    name: 'a Claude Code file',
    format: 'claude-code',
    make: (seed: number) => claudeCodeFile({ seed }),
    characters: 6_000_000,
  },
  {
    name: 'a Claude Code file with request records',
    format: 'claude-code',
    make: (seed: number) => claudeCodeFile({ seed, requestRecords: true }),
    characters: 6_000_000,
  },
  {
    name: 'a Codex file',
    format: 'codex',
    make: (seed: number) => codexFile({ seed }),
    characters: 2_000_000,
  },
] as const;

describe('generated files', () => {
  for (const { name, format, make, characters } of files) {
    it(`${name}: the program finds what the generator says`, async () => {
      const file = make(7);
      const { transcript } = await openTranscriptBytes(textOf(file, characters));
      const { requests, blocks, compactions, subagents, problems, contexts } = transcript;
      const sum = (kind: 'input' | 'cacheRead' | 'cacheWrite' | 'output'): number =>
        requests.reduce((total, { usage }) => total + (usage?.[kind] ?? 0), 0);
      assert.deepEqual(
        {
          format: transcript.format,
          problems,
          requests: requests.length,
          blocks: blocks.length,
          toolResults: [...blocks].filter(({ kind }) => kind === 'toolResult').length,
          compactions: compactions.length,
          subagents: subagents.length,
          usage: {
            input: sum('input'),
            cacheRead: sum('cacheRead'),
            cacheWrite: sum('cacheWrite'),
            output: sum('output'),
          },
        },
        {
          format,
          problems: [],
          requests: file.facts.requests,
          blocks: file.facts.blocks,
          toolResults: file.facts.toolResults,
          compactions: file.facts.compactions,
          subagents: file.facts.subagents,
          usage: file.facts.usage,
        },
      );
      assert.ok(file.facts.compactions > 0 && contexts.length > 1, 'it is long enough for a compaction');
    });

    it(`${name}: the same seed gives the same file, another seed another`, () => {
      const text = textOf(make(3), 300_000);
      assert.equal(textOf(make(3), 300_000), text);
      assert.notEqual(textOf(make(4), 300_000).slice(0, 10_000), text.slice(0, 10_000));
    });
  }

  it('has records from which each request is rebuilt', async () => {
    const file = claudeCodeFile({ seed: 9, requestRecords: true });
    const { transcript } = await openTranscriptBytes(textOf(file, 1_000_000));
    assert.ok(transcript.requests.length > 20);
    assert.ok(transcript.requests.every(({ complete }) => complete));
    const [{ breakpoints } = {}] = transcript.requests;
    // 9 tools, then the two system prompts; the last breakpoint is on the prompt after the first message.
    assert.deepEqual(breakpoints, [9, 10, 12]);
  });

  it('holds as many lines as it says', () => {
    const file = claudeCodeFile({ seed: 5 });
    const text = textOf(file, 500_000);
    assert.equal(text.split('\n').length - 1, file.facts.lines);
  });

  it('makes texts of the size that is asked for, and never half of a pair', () => {
    const texts = new Texts(new Random(11));
    for (let count = 0; count < 300; count += 1) {
      const text = texts.mixed(1000 + count);
      assert.ok(text.length === 1000 + count || text.length === 999 + count);
      assert.equal(Buffer.from(text).toString(), text);
    }
  });
});
