import { createHash } from 'node:crypto';
import type { ClaudeCodeLines, Fields } from './claudeCodeLines';
import type { Random } from './random';
import type { Texts } from './texts';

const toolNames = ['Agent', 'Bash', 'Edit', 'Read', 'Skill', 'TodoWrite', 'WebFetch', 'WebSearch', 'Write'];

interface Message {
  readonly role: 'user' | 'assistant';
  readonly content: unknown;
}

/**
 * The request records of Claude Code 2.1.186 and later, for the main conversation: the shape with system prompt and
 * tools; the first message, which no line contains; and for each request the hashes of the new messages.
 */
export class RequestRecords {
  /** Number of blocks that only records contain. */
  readonly blocks = toolNames.length + 2 + 1;
  private readonly shape: Fields;
  private readonly shapeHash: string;
  private readonly first: Message;
  /** User lines since the last request; they are sent as one message. */
  private run: unknown[] = [];
  /** Hashes of the messages that no request has listed yet. */
  private tail: string[] = [];
  private listed = 0;
  private newest: string | undefined;
  private hasBegun = false;

  constructor(
    private readonly random: Random,
    texts: Texts,
    private readonly lines: ClaudeCodeLines,
  ) {
    this.shape = {
      system: [3000, 14_000].map(size => ({ text: texts.text('markdown', size), type: 'text' })),
      tools: toolNames.map(name => ({
        name,
        description: texts.text('markdown', random.size(2500, 0.7, 300, 9000)),
        input_schema: {
          type: 'object',
          properties: { [texts.word()]: { type: 'string', description: texts.sentence(5, 20) } },
        },
      })),
    };
    this.shapeHash = hashOf(this.shape);
    const reminder = `<system-reminder>\n${texts.text('markdown', 8000)}\n</system-reminder>`;
    this.first = { role: 'user', content: [{ type: 'text', text: reminder }] };
    this.tail = [hashOf(this.first)];
  }

  addUser(content: unknown): void {
    this.run.push(content);
  }

  addReply(content: readonly unknown[]): void {
    this.tail.push(hashOf({ role: 'assistant', content }));
  }

  /** The next request lists its messages from the start: the first one, and those added from now on. */
  compact(): void {
    this.run = [];
    this.tail = [hashOf(this.first)];
    this.listed = 0;
    this.newest = undefined;
  }

  /**
   * Writes the record of a request with everything that was added; returns its id, which the reply's lines refer to.
   */
  request(model: string): string {
    if (!this.hasBegun) {
      this.hasBegun = true;
      this.lines.meta('api-request-shape', { shapeHash: this.shapeHash, shape: this.shape });
      this.lines.meta('api-request-blob', { hash: hashOf(this.first), message: this.first });
    }
    this.endRun();
    const id = this.random.uuid();
    const { tail, listed, newest } = this;
    const path = ['messages', listed + tail.length - 1, 'content', 0];
    this.lines.meta('api-request', {
      id,
      timestamp: this.lines.now(),
      querySource: 'repl_main_thread',
      shapeHash: this.shapeHash,
      params: { model, max_tokens: 32_000, thinking: { type: 'adaptive' } },
      ...(newest === undefined ? {} : { base: newest }),
      keep: listed,
      tail,
      cacheControl: [['system', 0], ['system', 1], path].map(place => ({
        path: place,
        value: { type: 'ephemeral' },
      })),
      requestDigest: this.random.hex(64),
    });
    this.listed += tail.length;
    this.tail = [];
    this.newest = id;
    return id;
  }

  private endRun(): void {
    const [only, ...more] = this.run;
    if (only !== undefined) {
      // A single text stays a text; lists are joined.
      const content = more.length === 0 ? only : this.run.flat();
      this.tail.push(hashOf({ role: 'user', content }));
    }
    this.run = [];
  }
}

/** SHA-256 of a value as JSON with sorted keys, in hex. */
function hashOf(value: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify(sorted(value)))
    .digest('hex');
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map(sorted);
  }
  return typeof value === 'object' && value !== null
    ? Object.fromEntries(
        Object.entries(value)
          .sort(([first], [second]) => (first < second ? -1 : 1))
          .map(([key, item]): [string, unknown] => [key, sorted(item)]),
      )
    : value;
}
