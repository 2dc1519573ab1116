import { jsonLines } from '../fixtures/jsonLines';

/** A memory file of 48 lines whose fourth changes with each build, with a key in the line after it. */
export const memoryFile = (build: string): string =>
  [
    '# ferry-api',
    '',
    'Run `npm test -- reminders` before each commit.',
    `Deployed: build ${build}, at the usual place`,
    ['The key of the test server is sk-ant-api03-', 'Zq8Lr2Vn'.repeat(11), 'Xy', '-', 'Ab3dEf9A'].join(''),
    ...Array.from({ length: 43 }, (_, line) => `Rule ${line + 1}: times are local to the port.`),
  ].join('\n');

const said = (text: string, index: number) => ({
  role: index % 2 === 0 ? 'user' : 'assistant',
  content: text,
});

const file = (name: string): string =>
  Array.from({ length: 120 }, (_, line) => `${name}: departure ${line} at berth ${line % 7}`).join('\n');

/** Two requests of an API, recorded whole, as a transcript: the second lost the cache, because the memory file had changed. */
export function proofText(): string {
  const texts = [
    'Repair the reminders, please.',
    'I read the tables.',
    file('march'),
    'And one more.',
    file('april'),
  ];
  const exchange = (build: string, count: number, usage: readonly [read: number, written: number]) => ({
    timestamp: 1_790_000_000_000 + count * 130_000,
    request: {
      url: 'https://api.anthropic.com/v1/messages',
      method: 'POST',
      headers: {},
      body: {
        model: 'claude-sonnet-4-5',
        max_tokens: 9,
        system: [
          { type: 'text', text: `You help with ferries. ${'Be exact. '.repeat(600)}` },
          { type: 'text', text: memoryFile(build), cache_control: { type: 'ephemeral' } },
        ],
        messages: texts.slice(0, count).map(said),
      },
    },
    response: {
      status: 200,
      headers: {},
      body: {
        id: `msg_${count}`,
        type: 'message',
        role: 'assistant',
        model: 'claude-sonnet-4-5',
        content: [{ type: 'text', text: 'Done.' }],
        usage: {
          input_tokens: 3,
          cache_read_input_tokens: usage[0],
          cache_creation_input_tokens: usage[1],
          output_tokens: 2,
        },
      },
    },
  });
  return jsonLines([exchange('1841', 3, [0, 6_000]), exchange('1846', 5, [2_000, 7_000])]);
}
