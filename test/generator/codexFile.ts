import { type EndlessFile, type FileFacts, noFacts } from './lines';
import { Random } from './random';
import { Texts } from './texts';

type Fields = Readonly<Record<string, unknown>>;

const contextWindow = 258_400;
/** Codex compacts at nine tenths of the window. */
const contextTokens = 232_000;
const hiddenTokens = 6200;
const charactersPerToken = 3.6;

/**
 * A rollout in Codex's form: response items, the events that repeat them, token counts, turn contexts and compactions.
 */
export function codexFile({ seed }: { readonly seed: number }): EndlessFile {
  const rollout = new Rollout(seed);
  return { facts: rollout.facts, steps: rollout.steps() };
}

class Rollout {
  readonly facts: FileFacts = noFacts();
  private readonly random: Random;
  private readonly texts: Texts;
  private readonly thread: string;
  private turn = '';
  private prompts: Fields[] = [];
  private lines: string[] = [];
  private time = Date.UTC(2026, 3, 20, 8, 0, 0);
  private characters = 0;
  private cached = 0;
  private readonly total = { input: 0, cached: 0, output: 0, reasoning: 0 };

  constructor(seed: number) {
    this.random = new Random(seed);
    this.texts = new Texts(this.random);
    this.thread = this.random.uuid();
  }

  *steps(): Generator<string, never> {
    this.begin();
    for (;;) {
      this.prompt();
      yield this.taken();
      for (let calls = this.random.between(2, 25); calls > 0; calls -= 1) {
        this.toolTurn();
        yield this.taken();
        if (this.contextSize() > contextTokens) {
          this.compact();
          yield this.taken();
        }
      }
      const last = this.say(
        'final_answer',
        this.texts.text('markdown', this.random.size(900, 0.7, 80, 8000)),
      );
      this.countTokens(last.length);
      this.event('task_complete', {
        turn_id: this.turn,
        last_agent_message: last,
        duration_ms: this.random.below(900_000),
      });
      yield this.taken();
    }
  }

  private taken(): string {
    const text = this.lines.join('');
    this.facts.lines += this.lines.length;
    this.lines = [];
    return text;
  }

  private begin(): void {
    const base = `You are Codex, a coding agent.\n${this.texts.text('markdown', 15_000)}`;
    this.line('session_meta', {
      id: this.thread,
      timestamp: new Date(this.time).toISOString(),
      cwd: '/home/dev/work',
      originator: 'codex-tui',
      cli_version: '0.142.4',
      source: 'cli',
      model_provider: 'openai',
      base_instructions: { text: base },
    });
    const rules = `# AGENTS.md instructions for /home/dev/work\n\n<INSTRUCTIONS>\n${this.texts.text('markdown', 7000)}\n</INSTRUCTIONS>`;
    this.item(message('user', 'input_text', rules));
    this.characters += base.length + rules.length;
    this.facts.blocks += 2;
  }

  private prompt(): void {
    this.turn = this.random.uuid();
    this.event('task_started', { turn_id: this.turn, model_context_window: contextWindow });
    this.turnContext();
    const text = this.texts.text('prose', this.random.size(260, 1, 10, 12_000));
    const item = message('user', 'input_text', text);
    this.item(item);
    this.event('user_message', { message: text, images: [] });
    this.prompts.push(item);
    this.characters += text.length;
    this.facts.blocks += 1;
  }

  private turnContext(): void {
    this.line('turn_context', {
      turn_id: this.turn,
      cwd: '/home/dev/work',
      approval_policy: 'never',
      sandbox_policy: { type: 'danger-full-access' },
      model: 'gpt-5.5',
      effort: 'high',
      collaboration_mode: {
        mode: 'default',
        settings: { model: 'gpt-5.5', developer_instructions: this.texts.text('markdown', 900) },
      },
      truncation_policy: { mode: 'tokens', limit: 10_000 },
    });
  }

  private toolTurn(): void {
    const { random, texts } = this;
    let said = 0;
    if (random.chance(0.45)) {
      const secret = texts.base64(random.size(1100, 0.6, 300, 9000));
      this.item({
        type: 'reasoning',
        id: `rs_${random.hex(24)}`,
        summary: [],
        content: null,
        encrypted_content: secret,
      });
      said += random.between(100, 4000);
      this.facts.blocks += 1;
    }
    if (random.chance(0.4)) {
      said += this.say('commentary', texts.text('prose', random.size(200, 0.8, 20, 3000))).length;
    }
    const callId = `call_${random.hex(24)}`;
    const patches = random.chance(0.1);
    const input = patches
      ? `*** Begin Patch\n*** Update File: ${texts.path()}\n${texts.text('diff', random.size(1200, 1, 60, 30_000))}\n*** End Patch`
      : JSON.stringify({
          cmd: `rg -n "${texts.word()}" ${texts.path()}`,
          workdir: '/home/dev/work',
          yield_time_ms: 30_000,
        });
    this.item(
      patches
        ? { type: 'custom_tool_call', status: 'completed', call_id: callId, name: 'apply_patch', input }
        : {
            type: 'function_call',
            id: `fc_${random.hex(24)}`,
            name: 'exec_command',
            arguments: input,
            call_id: callId,
          },
    );
    said += input.length;
    this.facts.blocks += 1;
    this.countTokens(said);
    const output = patches
      ? 'Exit code: 0\nWall time: 0 seconds\nOutput:\nSuccess. Updated the following files:\nM file\n'
      : `Chunk ID: ${random.hex(6)}\nWall time: 0.0${random.below(999)} seconds\nProcess exited with code 0\nOutput:\n${texts.mixed(random.size(2400, 1.3, 10, random.chance(0.002) ? 500_000 : 40_000))}`;
    this.item({
      type: patches ? 'custom_tool_call_output' : 'function_call_output',
      call_id: callId,
      output,
    });
    this.characters += output.length;
    this.facts.blocks += 1;
    this.facts.toolResults += 1;
    if (patches) {
      this.event('patch_apply_end', {
        call_id: callId,
        turn_id: this.turn,
        stdout: output,
        success: true,
        changes: { [texts.path()]: { type: 'update', unified_diff: input } },
      });
    }
  }

  private say(phase: string, text: string): string {
    this.event('agent_message', { message: text, phase });
    this.item({ ...message('assistant', 'output_text', text), phase });
    this.facts.blocks += 1;
    return text;
  }

  /** The end of a request. */
  private countTokens(said: number): void {
    const input = this.contextSize();
    const output = Math.ceil(said / charactersPerToken);
    const last = { input, cached: Math.min(this.cached, input), output, reasoning: 0 };
    this.total.input += last.input;
    this.total.cached += last.cached;
    this.total.output += last.output;
    this.tokenCount(this.total, last, last.input + last.output);
    this.cached = input - (input % 128);
    this.characters += said;
    this.facts.requests += 1;
    this.facts.usage.input += last.input - last.cached;
    this.facts.usage.cacheRead += last.cached;
    this.facts.usage.output += last.output;
  }

  private tokenCount(total: Counts, last: Counts, lastTotal: number): void {
    this.event('token_count', {
      info: {
        total_token_usage: usageOf(total, total.input + total.output),
        last_token_usage: usageOf(last, lastTotal),
        model_context_window: contextWindow,
      },
      rate_limits: {
        limit_id: 'codex',
        primary: { used_percent: 3, window_minutes: 300, resets_at: 1_782_823_511 },
        secondary: { used_percent: 67, window_minutes: 10_080, resets_at: 1_782_942_293 },
      },
    });
  }

  /** Keeps the user's prompts; the rest becomes one encrypted item. */
  private compact(): void {
    const kept = this.prompts.slice(-12);
    const summary = { type: 'compaction', encrypted_content: this.texts.base64(12_000) };
    this.line('compacted', {
      message: '',
      replacement_history: [...kept, summary],
      window_number: this.facts.compactions + 2,
    });
    this.prompts = [...kept];
    this.characters = kept.reduce((sum, item) => sum + JSON.stringify(item).length, 0) + 9000;
    this.cached = 0;
    this.facts.blocks += kept.length + 1;
    this.facts.compactions += 1;
    this.tokenCount(this.total, { input: 0, cached: 0, output: 0, reasoning: 0 }, this.contextSize());
    this.event('context_compacted', {});
    this.turnContext();
  }

  private contextSize(): number {
    return hiddenTokens + Math.ceil(this.characters / charactersPerToken);
  }

  private item(payload: Fields): void {
    this.line('response_item', payload);
  }

  private event(type: string, rest: Fields): void {
    this.line('event_msg', { type, ...rest });
  }

  private line(type: string, payload: Fields): void {
    this.time += this.random.between(50, 4000);
    this.lines.push(`${JSON.stringify({ timestamp: new Date(this.time).toISOString(), type, payload })}\n`);
  }
}

interface Counts {
  readonly input: number;
  readonly cached: number;
  readonly output: number;
  readonly reasoning: number;
}

function usageOf({ input, cached, output, reasoning }: Counts, total: number): Fields {
  return {
    input_tokens: input,
    cached_input_tokens: cached,
    output_tokens: output,
    reasoning_output_tokens: reasoning,
    total_tokens: total,
  };
}

function message(role: string, type: string, text: string): Fields {
  return { type: 'message', role, content: [{ type, text }] };
}
