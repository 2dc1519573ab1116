import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { replyFormatBlock, schemaBlock } from '../../../src/core/content/blockFactory';
import { labelOfText } from '../../../src/core/content/blockLabels';
import { readChatMessage as readGenericMessage } from '../../../src/core/wire/generic/blocks';
import type { KnownCall } from '../../../src/core/content/knownCalls';
import { below, type Place } from '../../../src/core/content/place';
import { type NewBlock, TranscriptBuilder } from '../../../src/core/content/transcriptBuilder';
import { readAnthropicRequest } from '../../../src/core/wire/anthropic/bodies';
import { readChatRequest } from '../../../src/core/wire/openaiChat/bodies';
import { readGeminiRequest } from '../../../src/core/wire/gemini/bodies';
import { readResponsesRequest } from '../../../src/core/wire/openaiResponses/bodies';
import { TextReader } from '../../../src/core/session/textReader';

// One conversation, and its expected blocks, which are the same in every dialect.

type Class = Pick<NewBlock, 'kind' | 'partition' | 'provenance'>;

const typed: Class = { kind: 'prompt', partition: 'history', provenance: 'user' };
const memoryFile: Class = { kind: 'injected', partition: 'knowledge', provenance: 'developer' };
const signal: Class = { kind: 'injected', partition: 'state', provenance: 'system' };
const taskState: Class = { kind: 'injected', partition: 'state', provenance: 'memory' };
const systemPrompt: Class = { kind: 'systemPrompt', partition: 'system', provenance: 'system' };

interface Piece {
  readonly text: string;
  readonly class: Class;
}

interface Unknown {
  readonly type: 'mystery';
  readonly value: number;
}

type UserPart =
  | { readonly kind: 'text'; readonly pieces: readonly Piece[] }
  | { readonly kind: 'image' }
  | { readonly kind: 'unknown'; readonly part: Unknown };

type Result =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'parts'; readonly texts: readonly string[]; readonly hasImage: boolean }
  | { readonly kind: 'error'; readonly text: string };

interface Call {
  readonly tool: 'Bash' | 'Read' | 'web_search' | 'TodoWrite' | 'apply_patch';
  readonly callId: string;
  readonly input: Readonly<Record<string, string>>;
  readonly path: string | undefined;
  readonly result: Result;
}

type Turn =
  | { readonly role: 'user'; readonly parts: readonly UserPart[] }
  | {
      readonly role: 'assistant';
      readonly thinking: string;
      readonly texts: readonly string[];
      readonly unknown: Unknown | undefined;
      readonly calls: readonly Call[];
    };

interface Conversation {
  readonly system: Piece;
  readonly tools: readonly string[];
  readonly turns: readonly Turn[];
}

const words = fc.constantFrom(
  'Fix the bug.',
  'Why?\nTell me.',
  'naïve 漢字 😀',
  'See <b>this</b>',
  '{"a": 1}',
);

const reminders: readonly Piece[] = [
  { text: '<system-reminder>Your todo list is empty.</system-reminder>', class: taskState },
  { text: '<system-reminder>\nContents of CLAUDE.md\n</system-reminder>', class: memoryFile },
  { text: '<system-reminder>It is late.</system-reminder>', class: signal },
];

const userText = fc
  .tuple(fc.boolean(), fc.array(fc.tuple(words, fc.constantFrom(...reminders)), { maxLength: 3 }), words)
  .map(([endsWithWords, pairs, last]): UserPart => {
    const pieces = pairs.flatMap(([text, reminder]) => [{ text: `${text} `, class: typed }, reminder]);
    const turned = pairs.length % 2 === 0 ? pieces : pieces.slice(1);
    return {
      kind: 'text',
      pieces: endsWithWords || turned.length === 0 ? [...turned, { text: last, class: typed }] : turned,
    };
  });

const unknown = fc.nat(9).map((value): Unknown => ({ type: 'mystery', value }));

const userTurn = fc
  .array(
    fc.oneof(
      { weight: 4, arbitrary: userText },
      { weight: 1, arbitrary: fc.constant<UserPart>({ kind: 'image' }) },
      { weight: 1, arbitrary: fc.constant<UserPart>({ kind: 'text', pieces: [] }) },
      { weight: 1, arbitrary: unknown.map((part): UserPart => ({ kind: 'unknown', part })) },
    ),
    { minLength: 1, maxLength: 3 },
  )
  .map((parts): Turn => ({ role: 'user', parts }));

const result = fc.oneof(
  words.map((text): Result => ({ kind: 'text', text })),
  words.map((text): Result => ({ kind: 'error', text })),
  fc
    .tuple(fc.array(words, { maxLength: 3 }), fc.boolean())
    .map(([texts, hasImage]): Result => ({ kind: 'parts', texts, hasImage: hasImage || texts.length === 0 })),
);

const patch = '*** Begin Patch\n*** Update File: src/a.ts\n*** End Patch';
const inputs: Readonly<Record<Call['tool'], Call['input']>> = {
  Bash: { command: 'npm test\n' },
  Read: { file_path: '/work/sum.ts' },
  web_search: { query: 'prices' },
  TodoWrite: { todos: 'none' },
  apply_patch: { input: patch },
};
const paths: Readonly<Partial<Record<Call['tool'], string>>> = {
  Read: '/work/sum.ts',
  apply_patch: 'src/a.ts',
};

const assistantTurn = fc
  .record({
    thinking: fc.constantFrom('', 'Let me see.'),
    texts: fc.array(fc.oneof(words, fc.constant('')), { maxLength: 2 }),
    unknown: fc.option(unknown, { nil: undefined }),
    // In a dialect without ids, simultaneous calls are distinguished by their tools.
    calls: fc.uniqueArray(
      fc.record({
        tool: fc.constantFrom<Call['tool'][]>('Bash', 'Read', 'web_search', 'TodoWrite', 'apply_patch'),
        result,
      }),
      { maxLength: 3, selector: ({ tool }) => tool },
    ),
  })
  .map(({ calls, ...rest }): Turn => ({
    ...rest,
    role: 'assistant',
    calls: calls.map(call => ({ ...call, callId: '', input: inputs[call.tool], path: paths[call.tool] })),
  }));

const conversation = fc
  .record({
    system: fc.constantFrom<Piece[]>(
      { text: 'You are a careful agent.', class: systemPrompt },
      { text: '# AGENTS.md\n\nUse tabs.', class: memoryFile },
    ),
    tools: fc.uniqueArray(fc.constantFrom('Bash', 'Read', 'TodoWrite'), { maxLength: 3 }),
    turns: fc.array(fc.oneof(userTurn, assistantTurn), { maxLength: 6 }),
  })
  .map((drawn): Conversation => ({
    ...drawn,
    turns: drawn.turns.map((turn, at) =>
      turn.role === 'user'
        ? turn
        : { ...turn, calls: turn.calls.map((call, index) => ({ ...call, callId: `call_${at}_${index}` })) },
    ),
  }));

// The expected blocks

/**
 * The compared members of a block. The text of a tool definition is left out, because each dialect writes it
 * differently.
 */
interface Seen extends Class {
  readonly role: NewBlock['role'];
  readonly contentType: NewBlock['contentType'];
  readonly label: string;
  readonly toolName: string | undefined;
  readonly callId: string | undefined;
  readonly path: string | undefined;
  readonly isError: boolean | undefined;
  readonly image: NewBlock['image'];
  readonly text: string | undefined;
}

const plain = {
  toolName: undefined,
  callId: undefined,
  path: undefined,
  isError: undefined,
  image: undefined,
};

const pixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const imageFacts = { width: 1, height: 1, mediaType: 'image/png' };

function textSeen(
  role: NewBlock['role'],
  { text, class: textClass }: Piece,
  label = labelOfText(text),
): Seen {
  return { ...plain, ...textClass, role, contentType: 'text', label, text };
}

function expectedBlocks(conversation: Conversation): readonly Seen[] {
  return [
    ...conversation.tools.map((tool): Seen => ({
      ...plain,
      role: 'system',
      contentType: 'tool_schema',
      kind: 'toolSchema',
      partition: 'system',
      provenance: 'system',
      label: tool,
      toolName: tool,
      text: undefined,
    })),
    textSeen('system', conversation.system),
    ...conversation.turns.flatMap(turn =>
      turn.role === 'user' ? expectedOfUser(turn.parts) : expectedOfReply(turn),
    ),
  ];
}

function expectedOfUser(parts: readonly UserPart[]): readonly Seen[] {
  const seen = parts.flatMap((part): readonly Seen[] => {
    switch (part.kind) {
      case 'text':
        return part.pieces.map(piece => textSeen('user', piece));
      case 'image':
        return [
          {
            ...plain,
            role: 'user',
            contentType: 'image',
            kind: 'image',
            partition: 'history',
            provenance: 'user',
            label: 'image 1 × 1',
            image: imageFacts,
            text: pixel,
          },
        ];
      case 'unknown':
        return [unknownSeen('user', 'user', part.part)];
    }
  });
  return seen.length > 0 ? seen : [textSeen('user', { text: '', class: typed }, 'empty')];
}

function unknownSeen(role: 'user' | 'assistant', provenance: 'user' | 'developer', part: Unknown): Seen {
  const text = JSON.stringify(part);
  return textSeen(role, { text, class: { kind: 'other', partition: 'history', provenance } }, 'mystery');
}

function expectedOfReply({
  thinking,
  texts,
  unknown: part,
  calls,
}: Turn & { role: 'assistant' }): readonly Seen[] {
  const own = { partition: 'history', provenance: 'developer' } as const;
  const said = [
    ...(thinking === ''
      ? []
      : [textSeen('assistant', { text: thinking, class: { ...own, kind: 'thinking' } })]),
    ...texts
      .filter(text => text !== '')
      .map(text => textSeen('assistant', { text, class: { ...own, kind: 'assistant' } })),
    ...(part === undefined ? [] : [unknownSeen('assistant', 'developer', part)]),
    ...calls.map((call): Seen => ({
      ...plain,
      role: 'assistant',
      contentType: 'text',
      kind: 'toolCall',
      partition: call.tool === 'TodoWrite' ? 'state' : 'history',
      provenance: 'developer',
      label: labelOf(call),
      toolName: call.tool,
      callId: call.callId,
      path: call.path,
      text: JSON.stringify(call.input),
    })),
  ];
  return [
    ...(said.length > 0
      ? said
      : [textSeen('assistant', { text: '', class: { ...own, kind: 'assistant' } }, 'empty')]),
    ...calls.flatMap(expectedOfResult),
  ];
}

function labelOf({ tool }: Call): string {
  return {
    Bash: 'Bash npm test',
    Read: 'Read sum.ts',
    web_search: 'web_search prices',
    TodoWrite: 'TodoWrite',
    apply_patch: 'apply_patch',
  }[tool];
}

function expectedOfResult(call: Call): readonly Seen[] {
  const shared = {
    ...plain,
    role: 'tool',
    partition: call.tool === 'TodoWrite' ? 'state' : 'history',
    provenance: call.tool === 'web_search' ? 'retrieval' : 'tool',
    toolName: call.tool,
    callId: call.callId,
    path: call.path,
    isError: call.result.kind === 'error' ? true : undefined,
  } as const;
  const text = call.result.kind === 'parts' ? call.result.texts.join('\n') : call.result.text;
  const hasImage = call.result.kind === 'parts' && call.result.hasImage;
  return [
    ...(text === '' && hasImage
      ? []
      : [{ ...shared, contentType: 'tool_result', kind: 'toolResult', label: labelOf(call), text } as const]),
    ...(hasImage
      ? [
          {
            ...shared,
            contentType: 'image',
            kind: 'image',
            label: 'image 1 × 1',
            image: imageFacts,
            text: pixel,
          } as const,
        ]
      : []),
  ];
}

// The dialects

interface Dialect {
  readonly name: string;
  readonly hasIds?: boolean;
  readonly hasErrors: boolean;
  write(conversation: Conversation): unknown;
  read(body: unknown, place: Place): readonly NewBlock[];
}

const calls = (): Map<string, KnownCall> => new Map();
const dataUrl = `data:image/png;base64,${pixel}`;
const textOf = (pieces: readonly Piece[]): string => pieces.map(({ text }) => text).join('');

/** The parts of a user message, in a dialect's own form of a text and an image. */
function userParts(
  parts: readonly UserPart[],
  textPart: (text: string) => unknown,
  image: unknown,
): readonly unknown[] {
  return parts.map(part =>
    part.kind === 'text' ? textPart(textOf(part.pieces)) : part.kind === 'image' ? image : part.part,
  );
}

/** The content of a result: a string, or a list of parts. */
function resultContent(answer: Result, textPart: (text: string) => unknown, image: unknown): unknown {
  return answer.kind === 'parts'
    ? [...answer.texts.map(textPart), ...(answer.hasImage ? [image] : [])]
    : answer.text;
}

const anthropicText = (text: string): unknown => ({ type: 'text', text });
const anthropicImage = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: pixel } };

const anthropic: Dialect = {
  name: 'Anthropic',
  hasErrors: true,
  write: ({ system, tools, turns }) => ({
    tools: tools.map(name => ({ name, input_schema: {} })),
    system: system.text,
    messages: turns.flatMap((turn): readonly unknown[] =>
      turn.role === 'user'
        ? [{ role: 'user', content: userParts(turn.parts, anthropicText, anthropicImage) }]
        : [
            {
              role: 'assistant',
              content: [
                ...(turn.thinking === '' ? [] : [{ type: 'thinking', thinking: turn.thinking }]),
                ...turn.texts.map(anthropicText),
                ...(turn.unknown === undefined ? [] : [turn.unknown]),
                ...turn.calls.map(({ tool, callId, input }) => ({
                  type: 'tool_use',
                  id: callId,
                  name: tool,
                  input,
                })),
              ],
            },
            ...(turn.calls.length === 0
              ? []
              : [
                  {
                    role: 'user',
                    content: turn.calls.map(({ callId, result: answer }) => ({
                      type: 'tool_result',
                      tool_use_id: callId,
                      content: resultContent(answer, anthropicText, anthropicImage),
                      ...(answer.kind === 'error' ? { is_error: true } : {}),
                    })),
                  },
                ]),
          ],
    ),
  }),
  read: (body, place) => readAnthropicRequest(body, place, calls()).messages.flatMap(({ blocks }) => blocks),
};

const chatImage = { type: 'image_url', image_url: { url: dataUrl } };

function chatMessages({ system, turns }: Conversation, marksErrors: boolean): readonly unknown[] {
  return [
    { role: 'system', content: system.text },
    ...turns.flatMap((turn): readonly unknown[] =>
      turn.role === 'user'
        ? [{ role: 'user', content: userParts(turn.parts, anthropicText, chatImage) }]
        : [
            {
              role: 'assistant',
              ...(turn.thinking === '' ? {} : { reasoning_content: turn.thinking }),
              content: [
                ...turn.texts.map(anthropicText),
                ...(turn.unknown === undefined ? [] : [turn.unknown]),
              ],
              tool_calls: turn.calls.map(({ tool, callId, input }) => ({
                id: callId,
                type: 'function',
                function: { name: tool, arguments: JSON.stringify(input) },
              })),
            },
            ...turn.calls.map(({ callId, result: answer }) => ({
              role: 'tool',
              tool_call_id: callId,
              content: resultContent(answer, anthropicText, chatImage),
              ...(marksErrors && answer.kind === 'error' ? { is_error: true } : {}),
            })),
          ],
    ),
  ];
}

const chat: Dialect = {
  name: 'OpenAI chat',
  hasErrors: false,
  write: conversation => ({
    model: 'gpt-5',
    tools: conversation.tools.map(name => ({ type: 'function', function: { name } })),
    messages: chatMessages(conversation, false),
  }),
  read: (body, place) => readChatRequest(body, place, calls()).messages.flatMap(({ blocks }) => blocks),
};

const generic: Dialect = {
  name: 'generic',
  hasErrors: true,
  write: conversation => [
    ...conversation.tools.map(name => ({ function: { name } })),
    ...chatMessages(conversation, true),
  ],
  read: (body, place) => {
    const known = calls();
    return (Array.isArray(body) ? body : []).flatMap((message: unknown, index) =>
      typeof message === 'object' && message !== null && 'role' in message
        ? readGenericMessage(message, below(place, index), known).blocks
        : [schemaBlock(message, below(place, index))],
    );
  },
};

const responsesImage = { type: 'input_image', image_url: dataUrl };

const responses: Dialect = {
  name: 'Responses',
  hasErrors: false,
  write: ({ system, tools, turns }) => ({
    tools: tools.map(name => ({ type: 'function', name })),
    instructions: system.text,
    input: turns.flatMap((turn): readonly unknown[] => {
      if (turn.role === 'user') {
        const content = userParts(turn.parts, text => ({ type: 'input_text', text }), responsesImage);
        return [{ type: 'message', role: 'user', content }];
      }
      const content = [
        ...turn.texts.map(text => ({ type: 'output_text', text })),
        ...(turn.unknown === undefined ? [] : [turn.unknown]),
      ];
      const hasOthers = turn.thinking !== '' || turn.calls.length > 0;
      const isSaid = turn.texts.some(text => text !== '') || turn.unknown !== undefined;
      return [
        ...(turn.thinking === ''
          ? []
          : [{ type: 'reasoning', summary: [{ type: 'summary_text', text: turn.thinking }] }]),
        // Every message is a separate item. An empty one next to others is left out.
        ...(isSaid || !hasOthers ? [{ type: 'message', role: 'assistant', content }] : []),
        ...turn.calls.map(({ tool, callId, input }) => ({
          type: 'function_call',
          call_id: callId,
          name: tool,
          arguments: JSON.stringify(input),
        })),
        ...turn.calls.map(({ callId, result: answer }) => ({
          type: 'function_call_output',
          call_id: callId,
          output: resultContent(answer, text => ({ type: 'input_text', text }), responsesImage),
        })),
      ];
    }),
  }),
  read: (body, place) => readResponsesRequest(body, place, calls()).messages.flatMap(({ blocks }) => blocks),
};

const geminiImage = { inlineData: { mimeType: 'image/png', data: pixel } };

const gemini = (hasIds: boolean): Dialect => ({
  name: hasIds ? 'Gemini' : 'Gemini without ids',
  hasIds,
  hasErrors: true,
  write: ({ system, tools, turns }) => ({
    tools: tools.map(name => ({ functionDeclarations: [{ name }] })),
    systemInstruction: { parts: [{ text: system.text }] },
    contents: turns.flatMap((turn): readonly unknown[] =>
      turn.role === 'user'
        ? [{ role: 'user', parts: userParts(turn.parts, text => ({ text }), geminiImage) }]
        : [
            {
              role: 'model',
              parts: [
                ...(turn.thinking === '' ? [] : [{ text: turn.thinking, thought: true }]),
                ...turn.texts.map(text => ({ text })),
                ...(turn.unknown === undefined ? [] : [turn.unknown]),
                ...turn.calls.map(({ tool, callId, input }) => ({
                  functionCall: { ...(hasIds ? { id: callId } : {}), name: tool, args: input },
                })),
              ],
            },
            ...(turn.calls.length === 0
              ? []
              : [
                  {
                    role: 'user',
                    parts: turn.calls.map(({ tool, callId, result: answer }) => ({
                      functionResponse: {
                        ...(hasIds ? { id: callId } : {}),
                        name: tool,
                        response:
                          answer.kind === 'error'
                            ? { error: answer.text }
                            : { output: answer.kind === 'text' ? answer.text : answer.texts.join('\n') },
                        ...(answer.kind === 'parts' && answer.hasImage ? { parts: [geminiImage] } : {}),
                      },
                    })),
                  },
                ]),
          ],
    ),
  }),
  read: (body, place) => readGeminiRequest(body, place, calls()).messages.flatMap(({ blocks }) => blocks),
});

const dialects = [anthropic, chat, responses, gemini(true), gemini(false), generic];

const record = { line: 1, offset: 0, length: 0 };

/** The blocks of a transcript, with the texts that their references lead to. */
async function blocksSeen(dialect: Dialect, conversation: Conversation): Promise<readonly Seen[]> {
  const body = dialect.write(conversation);
  const builder = new TranscriptBuilder();
  const message = builder.addMessage({ role: 'user' });
  const read = dialect.read(body, { record, path: [] });
  builder.addBlocks(read, message);
  const source = { size: 0, read: () => Promise.reject(new Error('Everything is in the document.')) };
  const transcript = builder.build('test');
  const texts = new TextReader(source, transcript, body);
  return Promise.all(
    [...transcript.blocks].map(async (block, number): Promise<Seen> => {
      const {
        role,
        contentType,
        kind,
        partition,
        provenance,
        label,
        toolName,
        callId,
        path,
        isError,
        image,
      } = block;
      const text = await texts.read(number);
      assert.equal(
        text,
        read[number]?.content,
        `${dialect.name}: the text of ${kind} ${label} by its reference`,
      );
      const facts = {
        role,
        contentType,
        kind,
        partition,
        provenance,
        label,
        toolName,
        callId,
        path,
        isError,
        image,
      };
      return { ...facts, text: kind === 'toolSchema' ? undefined : text };
    }),
  );
}

describe('the dialects', () => {
  it('give the same blocks of the same conversation', async () => {
    await fc.assert(
      fc.asyncProperty(conversation, async said => {
        for (const dialect of dialects) {
          const expected = expectedBlocks(said).map(seen => ({
            ...seen,
            callId: dialect.hasIds === false ? undefined : seen.callId,
            isError: dialect.hasErrors ? seen.isError : undefined,
          }));
          assert.deepEqual(await blocksSeen(dialect, said), expected, dialect.name);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('take a result with an unknown part as the JSON of its list', () => {
    const content = [
      { type: 'text', text: 'found' },
      { type: 'tool_reference', tool_name: 'Read' },
    ];
    const written: readonly (readonly [Dialect, unknown])[] = [
      [
        anthropic,
        { messages: [{ role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c', content }] }] },
      ],
      [chat, { messages: [{ role: 'tool', tool_call_id: 'c', content }] }],
      [responses, { input: [{ type: 'function_call_output', call_id: 'c', output: content }] }],
      [generic, [{ role: 'tool', tool_call_id: 'c', content }]],
    ];
    for (const [dialect, body] of written) {
      const blocks = dialect.read(body, { record, path: [] });
      assert.deepEqual(
        blocks.map(block => [block.kind, block.content]),
        [['toolResult', JSON.stringify(content)]],
        dialect.name,
      );
    }
  });

  it('find what a tool of the provider found in the item of its call', () => {
    const input = [
      { type: 'web_search_call', id: 'ws_1', action: { type: 'search', query: 'prices' } },
      { type: 'file_search_call', id: 'fs_1', queries: ['tax'], results: [{ text: 'Tax is due.' }] },
      { type: 'mcp_call', id: 'mcp_1', name: 'ask', arguments: '{"q":1}', output: 'Two.', error: null },
      { type: 'mcp_call', id: 'mcp_2', name: 'ask', arguments: '{"q":2}', output: null, error: 'No server' },
      {
        type: 'code_interpreter_call',
        id: 'ci_1',
        code: 'print(4)',
        outputs: [{ type: 'logs', logs: '4' }],
      },
    ];
    const blocks = responses.read({ input }, { record, path: [] });
    assert.deepEqual(
      blocks.map(({ kind, toolName, callId, content, isError }) => [
        kind,
        toolName,
        callId,
        content,
        isError === true,
      ]),
      [
        ['toolCall', 'web_search', undefined, '{"type":"search","query":"prices"}', false],
        ['toolCall', 'file_search', 'fs_1', '["tax"]', false],
        ['toolResult', 'file_search', 'fs_1', 'Tax is due.', false],
        ['toolCall', 'ask', 'mcp_1', '{"q":1}', false],
        ['toolResult', 'ask', 'mcp_1', 'Two.', false],
        ['toolCall', 'ask', 'mcp_2', '{"q":2}', false],
        ['toolResult', 'ask', 'mcp_2', 'No server', true],
        ['toolCall', 'code_interpreter', 'ci_1', 'print(4)', false],
        ['toolResult', 'code_interpreter', 'ci_1', '[{"type":"logs","logs":"4"}]', false],
      ],
    );
  });

  it("know a developer's prompt from the system's", () => {
    const message = { role: 'developer', content: 'Be brief.' };
    const written: readonly (readonly [Dialect, unknown])[] = [
      [chat, { messages: [message] }],
      [responses, { input: [message] }],
      [generic, [message]],
    ];
    for (const [dialect, body] of written) {
      const [block] = dialect.read(body, { record, path: [] });
      assert.deepEqual([block?.kind, block?.provenance], ['systemPrompt', 'developer'], dialect.name);
    }
  });

  it('name the form of a reply by its schema', () => {
    const place = { record, path: [] };
    assert.equal(
      replyFormatBlock({ type: 'json_schema', json_schema: { name: 'answer' } }, place).label,
      'answer',
    );
    assert.equal(replyFormatBlock({ type: 'json_object' }, place).label, 'json_object');
  });
});
