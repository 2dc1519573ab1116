import { getEncoding } from 'js-tiktoken';
import { pictureSize } from './picture.mjs';

const encoding = getEncoding('o200k_base');

/** Provider tokens per o200k token of the visible text; about what Claude's tokenizer needs for code. */
const scale = 1.21;

const countTokens = text => encoding.encode(text, 'all').length;

/**
 * Writes one thread of a session as Claude Code does, line by line, and keeps the account of what the model sees, so
 * that the recorded usage agrees with the visible text.
 */
export class ThreadRecorder {
  lines = [];
  requests = 0;
  toolUses = 0;
  lastUsage = undefined;
  #visible = 0;
  #cached = 0;
  #parent = null;

  /**
   * @param shared sessionId, version, cwd, gitBranch and the like, repeated on each line
   * @param clock `{now}` in milliseconds, common to all threads of a session
   * @param hiddenTokens system prompt and tool schemas, which a transcript does not hold
   */
  constructor({ random, clock, shared, model, hiddenTokens, isSidechain = false, agentId }) {
    Object.assign(this, { random, clock, shared, model, hiddenTokens, isSidechain, agentId });
  }

  get contextTokens() {
    return this.hiddenTokens + Math.round(this.#visible * scale);
  }

  wait(seconds) {
    this.clock.now += Math.round(seconds * 1000);
  }

  /** A line without a place in the chain of messages. */
  note(value) {
    this.lines.push(value);
  }

  prompt(content, extra = {}) {
    this.wait(this.random.int(1, 3) / 10);
    this.#see(content);
    this.#line('user', { message: { role: 'user', content }, ...extra });
  }

  attachment(attachment, rendered, renderedRole = 'user') {
    this.#see(rendered);
    this.#line('attachment', { attachment, rendered: [{ content: rendered }], renderedRole });
  }

  system(subtype, extra) {
    this.#line('system', { subtype, ...extra, isMeta: false });
  }

  /**
   * One reply of the model and the results of its tool calls.
   * @param calls `{name, input, result, seconds?}`; `result` is `{content, toolUseResult, isError?}` or a function that
   *   gives it when the call has been written
   * @param interleaved the results of parallel calls stand between the lines of the reply
   */
  reply({ thinking, text, calls = [], interleaved = true }) {
    this.requests += 1;
    this.wait(this.random.int(14, 60) / 10);
    const content = [];
    if (thinking !== undefined) {
      content.push({ type: 'thinking', thinking, signature: this.random.base64(120) });
    }
    if (text !== undefined) {
      content.push({ type: 'text', text });
    }
    const planned = calls.map(call => ({ ...call, id: this.random.id('toolu_01', 22) }));
    content.push(...planned.map(({ id, name, input }) => ({ type: 'tool_use', id, name, input })));
    const message = {
      model: this.model,
      id: this.random.id('msg_01', 22),
      type: 'message',
      role: 'assistant',
    };
    const requestId = this.random.id('req_011', 21);
    const usage = this.#usage(content);
    const results = [];
    content.forEach((block, index) => {
      this.wait(this.random.int(3, 14) / 10);
      const isLast = index === content.length - 1;
      const uuid = this.#line('assistant', {
        message: {
          ...message,
          content: [block],
          stop_reason: isLast ? (planned.length > 0 ? 'tool_use' : 'end_turn') : null,
          stop_sequence: null,
          // While a reply streams, its lines carry the count so far; only the last one has the whole.
          usage: isLast ? usage : { ...usage, output_tokens: Math.min(usage.output_tokens, 2 + index) },
        },
        requestId,
      });
      const call = planned.find(({ id }) => id === block.id);
      if (call !== undefined) {
        results.push({ call, uuid });
      }
      if (interleaved) {
        this.#writeResults(results.splice(0));
      }
    });
    this.#writeResults(results);
    return planned.map(({ id }) => id);
  }

  #writeResults(results) {
    for (const { call, uuid } of results) {
      this.toolUses += 1;
      this.wait(call.seconds ?? this.random.int(1, 9) / 10);
      const { content, toolUseResult, isError } =
        typeof call.result === 'function' ? call.result() : call.result;
      this.#see(content);
      this.#line('user', {
        message: {
          role: 'user',
          content: [
            { tool_use_id: call.id, type: 'tool_result', content, ...(isError ? { is_error: true } : {}) },
          ],
        },
        toolUseResult,
        sourceToolAssistantUUID: uuid,
      });
    }
  }

  /** Everything before leaves the context; the system prompt and the tools stay cached. */
  compact(summary, trigger) {
    const preTokens = this.contextTokens;
    const logicalParentUuid = this.#parent;
    this.wait(64);
    this.#parent = null;
    this.#visible = 0;
    this.#cached = this.hiddenTokens - 400;
    const postTokens = Math.round(countTokens(summary) * scale);
    this.system('compact_boundary', {
      logicalParentUuid,
      content: 'Conversation compacted',
      level: 'info',
      compactMetadata: { trigger, preTokens, postTokens },
    });
    this.prompt(summary, { isVisibleInTranscriptOnly: true, isCompactSummary: true });
  }

  /** More time than the cache lives: the next request writes all of it again. */
  letCacheExpire(seconds) {
    this.wait(seconds);
    this.#cached = 0;
  }

  #usage(content) {
    const input = this.random.int(3, 9);
    const total = this.contextTokens;
    const read = Math.min(this.#cached, total - input);
    const written = total - input - read;
    this.#cached = read + written;
    const output = content.reduce((sum, block) => sum + tokensOfBlock(block), 0);
    this.#visible += output;
    this.lastUsage = {
      input_tokens: input,
      cache_creation_input_tokens: written,
      cache_read_input_tokens: read,
      cache_creation: { ephemeral_5m_input_tokens: written, ephemeral_1h_input_tokens: 0 },
      output_tokens: Math.round(output * scale) + this.random.int(4, 18),
      service_tier: 'standard',
    };
    return this.lastUsage;
  }

  #see(content) {
    this.#visible +=
      typeof content === 'string'
        ? countTokens(content)
        : content.reduce((sum, block) => sum + tokensOfBlock(block), 0);
  }

  #line(type, members) {
    const uuid = this.random.uuid();
    this.lines.push({
      parentUuid: this.#parent,
      isSidechain: this.isSidechain,
      ...(this.agentId === undefined ? {} : { agentId: this.agentId }),
      ...this.shared,
      type,
      ...members,
      uuid,
      timestamp: new Date(this.clock.now).toISOString(),
    });
    this.#parent = uuid;
    return uuid;
  }
}

function tokensOfBlock(block) {
  switch (block.type) {
    case 'text':
      return countTokens(block.text);
    case 'thinking':
      return countTokens(block.thinking);
    case 'tool_use':
      return countTokens(`${block.name} ${JSON.stringify(block.input)}`);
    case 'image':
      // Anthropic vision guide: width × height / 750. The scale for text does not hold for it.
      return Math.round((pictureSize.width * pictureSize.height) / 750 / scale);
    default:
      throw new Error(`No count for ${block.type}`);
  }
}
