import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { changedServers, serverChange, serverTextsIn } from '../../../src/core/price/serverTexts';
import { jsonLines, openTranscriptBytes } from '../../fixtures/openedTranscript';

const file = (servers: object): string => JSON.stringify({ mcpServers: servers });
const [one, other] = [{ command: 'a' }, { command: 'b' }];

describe('the texts of MCP servers', () => {
  it('are those of servers that come or go; one that starts in another way is not known', () => {
    const known = new Map([
      ['books', 'BOOKS'],
      ['my_maps', 'MAPS'],
    ]);
    const cases: readonly (readonly [
      string | undefined,
      string | undefined,
      readonly [string, string, boolean],
    ])[] = [
      [undefined, file({ books: one }), ['', 'BOOKS', false]],
      [file({ books: one, 'my maps': one }), file({ books: one }), ['MAPS', '', false]],
      [file({ books: one }), file({ books: other }), ['BOOKS', 'BOOKS', true]],
      [file({ books: one }), file({ books: one, stars: one }), ['', '', true]],
      [file({ books: one }), '{ broken', ['BOOKS', '', true]],
    ];
    for (const [before, after, expected] of cases) {
      const change = serverChange(before, after, known);
      assert.deepEqual([change.before, change.after, change.isPartly], expected, after);
    }
    assert.deepEqual(changedServers(file({ books: one }), file({ books: one, stars: one })), ['stars']);
  });

  it('are the names in the list of tools to load, where the definitions are not sent', async () => {
    const common = { sessionId: 's', version: '2.1.332', isSidechain: false };
    const list =
      'These tools can be loaded:\nWebFetch\nmcp__books__find\nmcp__stars__find\nmcp__books__lend\n';
    const { transcript, texts } = await openTranscriptBytes(
      jsonLines([
        {
          ...common,
          type: 'user',
          uuid: '1',
          parentUuid: null,
          message: { role: 'user', content: 'mcp__books__said' },
        },
        {
          ...common,
          type: 'attachment',
          uuid: '2',
          parentUuid: '1',
          attachment: { type: 'deferred_tools_delta', addedLines: [] },
          rendered: [{ content: list }],
        },
      ]),
    );
    const prompt = [...transcript.blocks].map((block, place) => ({ block, text: texts[place] ?? '' }));
    assert.deepEqual(
      [...serverTextsIn(prompt)],
      [
        ['books', 'mcp__books__find\nmcp__books__lend\n'],
        ['stars', 'mcp__stars__find\n'],
      ],
    );
  });
});
