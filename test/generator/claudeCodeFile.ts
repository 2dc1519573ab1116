import { ClaudeCodeLines, type Conversation, type Fields } from './claudeCodeLines';
import { RequestRecords } from './claudeCodeRecords';
import { toolCall } from './claudeCodeTools';
import { type EndlessFile, type FileFacts, noFacts } from './lines';
import { Random } from './random';
import { Texts } from './texts';

export interface ClaudeCodeOptions {
  readonly seed: number;
  /** The number of tokens at which the session is compacted; infinite for one context that only grows. */
  readonly contextTokens?: number;
  /** Median characters of a tool result. */
  readonly resultSize?: number;
  /** Progress lines for one tool call, on average; 99.6 % of the bytes of the largest reported file were such lines. */
  readonly progressLines?: number;
  /** True to write like version 2.1.186 or later: with a record of each request, and subagents in other files. */
  readonly requestRecords?: boolean;
}

/** Tokens that every request sends although no line contains them: system prompt and tools. */
const hiddenTokens = 17_400;
const charactersPerToken = 3.6;
const model = 'claude-sonnet-4-5-20250929';

/**
 * A session in Claude Code's form: one line per content block with the usage on each, results with the interface's own
 * copy, progress lines, snapshots, compactions, and subagents both as progress lines and as sidechains.
 */
export function claudeCodeFile(options: ClaudeCodeOptions): EndlessFile {
  const session = new Session(options);
  return { facts: session.facts, steps: session.steps() };
}

class Session {
  readonly facts: FileFacts = noFacts();
  private readonly random: Random;
  private readonly texts: Texts;
  private readonly lines: ClaudeCodeLines;
  private readonly records: RequestRecords | undefined;
  private readonly options: Required<ClaudeCodeOptions>;
  private readonly main: Conversation = newConversation(undefined);

  constructor(options: ClaudeCodeOptions) {
    this.options = {
      contextTokens: 160_000,
      resultSize: 1600,
      progressLines: 1,
      requestRecords: false,
      ...options,
    };
    this.random = new Random(options.seed);
    this.texts = new Texts(this.random);
    const { requestRecords } = this.options;
    this.lines = new ClaudeCodeLines(this.random, this.texts, requestRecords ? '2.1.330' : '2.1.62');
    if (requestRecords) {
      this.records = new RequestRecords(this.random, this.texts, this.lines);
      this.facts.blocks += this.records.blocks;
    }
  }

  *steps(): Generator<string, never> {
    this.lines.meta('file-history-snapshot', {
      messageId: this.random.uuid(),
      snapshot: { trackedFileBackups: {} },
    });
    for (;;) {
      this.prompt(this.main);
      yield this.taken();
      for (let calls = this.random.between(3, 30); calls > 0; calls -= 1) {
        if (this.random.chance(0.012)) {
          this.subagent();
        } else {
          this.toolTurn(this.main);
        }
        yield this.taken();
        if (tokensOf(this.main) > this.options.contextTokens) {
          this.compact();
          yield this.taken();
        }
      }
      this.reply(this.main, [
        { type: 'text', text: this.texts.text('markdown', this.random.size(700, 0.8, 60, 6000)) },
      ]);
      this.system('turn_duration', { durationMs: this.random.between(1000, 900_000) });
      yield this.taken();
    }
  }

  private taken(): string {
    const { text, count } = this.lines.take();
    this.facts.lines += count;
    return text;
  }

  // Messages

  private prompt(to: Conversation): void {
    const text = this.texts.text('prose', this.random.size(220, 1.1, 8, 20_000));
    const kind = this.random.next();
    if (kind < 0.02) {
      const image = `iVBORw0KGgoAAAANSUhEUgAABQAAAALQCAYAAADPfd1W${this.texts.base64(this.random.between(20_000, 200_000) * 4)}`;
      this.user(
        to,
        [
          { type: 'text', text },
          { type: 'image', source: { type: 'base64', media_type: 'image/png', data: image } },
        ],
        {},
        text.length + 6000,
      );
      this.facts.blocks += 2;
    } else if (kind < 0.2) {
      const reminder = `<system-reminder>\nThe TodoWrite tool has not been used recently. ${this.texts.sentence(8, 20)}\n</system-reminder>`;
      this.user(
        to,
        [
          { type: 'text', text },
          { type: 'text', text: reminder },
        ],
        {},
        text.length + reminder.length,
      );
      this.facts.blocks += 2;
    } else {
      this.user(to, text, {}, text.length);
      this.facts.blocks += 1;
    }
  }

  private toolTurn(on: Conversation): void {
    const calls = Array.from({ length: this.random.chance(0.12) ? this.random.between(2, 4) : 1 }, () => ({
      id: this.lines.id('toolu_'),
      ...toolCall(this.random, this.texts, this.options.resultSize),
    }));
    const said: Fields[] = [];
    if (this.random.chance(0.25)) {
      const thinking = this.texts.text('prose', this.random.size(600, 1, 40, 20_000));
      said.push({ type: 'thinking', thinking, signature: this.texts.base64(300) });
    }
    if (this.random.chance(0.45)) {
      said.push({ type: 'text', text: this.texts.text('prose', this.random.size(160, 0.9, 12, 4000)) });
    }
    for (const { id, name, input } of calls) {
      said.push({ type: 'tool_use', id, name, input });
    }
    this.reply(on, said);
    for (const call of calls) {
      for (let count = this.progressCount(); count > 0; count -= 1) {
        this.lines.progressLine(on, call.id);
      }
      this.result(on, call.id, call.text, call.forInterface);
    }
    if (this.random.chance(0.06)) {
      this.lines.meta('file-history-snapshot', {
        messageId: this.random.uuid(),
        isSnapshotUpdate: true,
        snapshot: {
          trackedFileBackups: { [this.texts.path()]: { backupFileName: this.random.hex(16), version: 2 } },
        },
      });
    }
  }

  private progressCount(): number {
    const { progressLines } = this.options;
    return progressLines <= 2 ? (this.random.chance(progressLines / 3) ? 3 : 0) : progressLines;
  }

  private result(on: Conversation, id: string, text: string, forInterface: unknown): void {
    const content = this.random.chance(0.015) ? [{ type: 'text', text }] : text;
    this.user(
      on,
      [{ type: 'tool_result', tool_use_id: id, content }],
      { toolUseResult: forInterface },
      text.length,
    );
    this.facts.blocks += 1;
    this.facts.toolResults += 1;
  }

  private reply(on: Conversation, blocks: readonly Fields[]): void {
    const total = tokensOf(on);
    const written = blocks.reduce((sum, block) => sum + JSON.stringify(block).length, 0);
    const output = Math.ceil(written / charactersPerToken);
    const usage = {
      input_tokens: this.random.between(1, 12),
      cache_creation_input_tokens: Math.max(0, total - on.cached),
      cache_read_input_tokens: on.cached,
      cache_creation: {
        ephemeral_5m_input_tokens: Math.max(0, total - on.cached),
        ephemeral_1h_input_tokens: 0,
      },
      service_tier: 'standard',
    };
    const id = this.lines.id('msg_01');
    const requestId = this.lines.id('req_011');
    const requestRef = this.records?.request(model);
    this.records?.addReply(blocks);
    blocks.forEach((block, index) => {
      this.lines.line(on, 'assistant', {
        requestId,
        ...(requestRef === undefined ? {} : { requestRef }),
        message: {
          model,
          id,
          type: 'message',
          role: 'assistant',
          content: [block],
          stop_reason: null,
          stop_sequence: null,
          // Only the last line has the full output count.
          usage: { ...usage, output_tokens: index === blocks.length - 1 ? output : Math.min(output, 3) },
        },
      });
    });
    on.cached = total;
    on.characters += written;
    this.facts.requests += 1;
    this.facts.blocks += blocks.length;
    this.facts.usage.input += usage.input_tokens;
    this.facts.usage.cacheRead += usage.cache_read_input_tokens;
    this.facts.usage.cacheWrite += usage.cache_creation_input_tokens;
    this.facts.usage.output += output;
  }

  /**
   * Writes a subagent. Without request records, half of the subagents are sidechains in this file; the others are
   * progress lines, which repeat the lines of a conversation's own file.
   */
  private subagent(): void {
    const id = this.lines.id('toolu_');
    const agentId = this.random.hex(7);
    const prompt = this.texts.text('prose', this.random.size(900, 0.7, 80, 6000));
    this.reply(this.main, [
      {
        type: 'tool_use',
        id,
        name: 'Task',
        input: { description: this.texts.sentence(2, 5), prompt, subagent_type: 'general-purpose' },
      },
    ]);
    if (this.records === undefined && this.random.chance(0.5)) {
      const own = newConversation(agentId);
      this.user(own, prompt, {}, prompt.length);
      this.facts.blocks += 1;
      for (let turns = this.random.between(2, 12); turns > 0; turns -= 1) {
        this.toolTurn(own);
      }
    } else {
      for (let count = this.random.between(5, 40); count > 0; count -= 1) {
        this.facts.blocks += 1;
        this.facts.toolResults += 1;
        this.lines.line(this.main, 'progress', {
          data: {
            type: 'agent_progress',
            agentId,
            prompt: '',
            message: {
              type: 'user',
              message: {
                role: 'user',
                content: [
                  {
                    type: 'tool_result',
                    tool_use_id: id,
                    content: this.texts.mixed(this.random.size(1500, 1, 30, 30_000)),
                  },
                ],
              },
            },
          },
          toolUseID: `agent_msg_${this.random.hex(8)}`,
          parentToolUseID: id,
        });
      }
    }
    const report = this.texts.text('markdown', this.random.size(2500, 0.7, 100, 12_000));
    this.result(this.main, id, report, {
      status: 'completed',
      prompt,
      agentId,
      content: [{ type: 'text', text: report }],
      totalDurationMs: this.random.between(4000, 400_000),
      totalTokens: this.random.between(8000, 90_000),
      totalToolUseCount: this.random.between(2, 40),
    });
    this.facts.subagents += 1;
  }

  private compact(): void {
    const preTokens = tokensOf(this.main);
    this.records?.compact();
    this.main.parent = null;
    this.system('compact_boundary', {
      content: 'Conversation compacted',
      compactMetadata: { trigger: 'auto', preTokens },
    });
    const summary = `This session is being continued from a previous conversation that ran out of context.\n${this.texts.text('markdown', this.random.size(9000, 0.3, 3000, 20_000))}`;
    this.main.characters = 0;
    this.main.cached = 0;
    this.user(
      this.main,
      summary,
      { isCompactSummary: true, isVisibleInTranscriptOnly: true },
      summary.length,
    );
    this.facts.blocks += 1;
    this.facts.compactions += 1;
  }

  // Lines

  private user(on: Conversation, content: unknown, rest: Fields, characters: number): void {
    this.lines.line(on, 'user', { message: { role: 'user', content }, ...rest });
    this.records?.addUser(content);
    on.characters += characters;
  }

  private system(subtype: string, rest: Fields): void {
    this.lines.line(this.main, 'system', { subtype, level: 'info', isMeta: false, ...rest });
  }
}

function newConversation(agentId: string | undefined): Conversation {
  return { agentId, parent: null, characters: 0, cached: 0 };
}

function tokensOf({ characters }: Conversation): number {
  return hiddenTokens + Math.ceil(characters / charactersPerToken);
}
