import { arrayAt, isObject, member as memberAt, objectAt, stringAt } from '../base/json';
import type { BilledPass, Billing } from '../model/billing';
import type { RecordedUsage } from '../model/transcript';

/** A member of a usage object, or of an object in it. */
type Member = string | readonly [holder: string, name: string];

/** The recorded counts, in tokens. */
interface Counts {
  readonly input: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  readonly output: number;
  readonly reasoning: number;
  readonly total: number | undefined;
}

/** A convention is either fixed or derived from the counts of each usage. */
type Convention = boolean | ((counts: Counts) => boolean);

/** The members in which a provider or an agent records usage. If several are named, the largest value counts. */
interface UsageDialect {
  readonly input: readonly Member[];
  /** Added to `input`. */
  readonly moreInput?: Member;
  readonly cacheRead?: readonly Member[];
  readonly cacheWrite?: readonly Member[];
  readonly output: readonly Member[];
  readonly reasoning?: readonly Member[];
  readonly total?: Member;
  /** True if `input` excludes the tokens read from the cache and written to it. */
  readonly cacheIsApart: Convention;
  /** True if `output` excludes the reasoning. If absent, `output` includes it. */
  readonly reasoningIsApart?: Convention;
  /** Usage may be recorded with only the output. */
  readonly mayLackInput?: boolean;
  /** Zeros mean unknown usage. */
  readonly zeroIsUnknown?: boolean;
  /** The parts of the cache writes, by their lifetime. */
  readonly writtenForHour?: Member;
  readonly writtenForMinutes?: Member;
  /** The lifetime of the cache, in seconds. */
  readonly lifetime?: Member;
  /** True if the usage may have Anthropic's members for terms, tools that the provider ran, and iterations. */
  readonly hasBilling?: boolean;
}

const lhar: UsageDialect = {
  input: [['usage', 'input_tokens']],
  cacheRead: [['more', 'cache_read_tokens']],
  cacheWrite: [['more', 'cache_write_tokens']],
  output: [['usage', 'output_tokens']],
  reasoning: [['more', 'thinking_tokens']],
  cacheIsApart: false,
};

function totalIsOfAll({ input, cacheRead, cacheWrite, output, reasoning, total }: Counts): boolean {
  return total !== undefined && total >= input + cacheRead + cacheWrite + output + reasoning;
}

/** True if opencode counted the reasoning in addition to the output; `undefined` if the counts do not show it. */
function reasoningIsBeside({ reasoning, total, ...others }: Counts): boolean | undefined {
  const inside = tokensOf(others);
  if (total === inside + reasoning) {
    return true;
  }
  return total === inside ? false : reasoning > others.output ? true : undefined;
}

/** opencode. Depending on the version, the output includes the reasoning. */
const opencode: UsageDialect = {
  input: ['input'],
  cacheRead: [['cache', 'read']],
  cacheWrite: [['cache', 'write']],
  output: ['output'],
  reasoning: ['reasoning'],
  total: 'total',
  cacheIsApart: true,
  reasoningIsApart: counts => reasoningIsBeside(counts) ?? false,
  mayLackInput: true,
  zeroIsUnknown: true,
};

const dialects = {
  anthropic: {
    input: ['input_tokens'],
    cacheRead: ['cache_read_input_tokens'],
    cacheWrite: ['cache_creation_input_tokens'],
    output: ['output_tokens'],
    reasoning: [['output_tokens_details', 'thinking_tokens']],
    cacheIsApart: true,
    writtenForHour: ['cache_creation', 'ephemeral_1h_input_tokens'],
    writtenForMinutes: ['cache_creation', 'ephemeral_5m_input_tokens'],
    hasBilling: true,
  },
  /**
   * The chat API, and LiteLLM, which converts every provider's usage to its form. From GPT-5.6 on, prompt tokens
   * include the tokens written to the cache (openai 6.49.0 types and OpenAI prompt caching guide, 2026-09). DeepSeek
   * uses other names for its cache hits.
   */
  openaiChat: {
    input: ['prompt_tokens'],
    cacheRead: [
      ['prompt_tokens_details', 'cached_tokens'],
      'prompt_cache_hit_tokens',
      'cache_read_input_tokens',
      'cache_read_tokens',
    ],
    cacheWrite: [
      ['prompt_tokens_details', 'cache_write_tokens'],
      'cache_creation_input_tokens',
      'cache_write_tokens',
    ],
    output: ['completion_tokens'],
    reasoning: [['completion_tokens_details', 'reasoning_tokens'], 'reasoning_tokens'],
    cacheIsApart: false,
  },
  /** gptme leaves the cached tokens out of the input of every provider (gptme, llm/openai_responses.py). */
  gptme: {
    input: ['input_tokens'],
    cacheRead: ['cache_read_tokens'],
    cacheWrite: ['cache_creation_tokens'],
    output: ['output_tokens'],
    cacheIsApart: true,
  },
  /** The Responses API; its cache counts follow the chat API's convention. */
  openaiResponses: {
    input: ['input_tokens'],
    cacheRead: [['input_tokens_details', 'cached_tokens']],
    cacheWrite: [['input_tokens_details', 'cache_write_tokens']],
    output: ['output_tokens'],
    reasoning: [['output_tokens_details', 'reasoning_tokens']],
    cacheIsApart: false,
  },
  /** Some tools with the Gemini API's form include thoughts in the candidates. The total shows this. */
  gemini: {
    input: ['promptTokenCount'],
    moreInput: 'toolUsePromptTokenCount',
    cacheRead: ['cachedContentTokenCount'],
    output: ['candidatesTokenCount'],
    reasoning: ['thoughtsTokenCount'],
    total: 'totalTokenCount',
    cacheIsApart: false,
    reasoningIsApart: ({ input, output, reasoning, total }) =>
      total === undefined || total >= input + output + reasoning,
  },
  aider: {
    input: ['sent'],
    cacheRead: ['cache hit'],
    cacheWrite: ['cache write'],
    output: ['received'],
    cacheIsApart: false,
  },
  amp: {
    input: ['inputTokens'],
    cacheRead: ['cacheReadInputTokens'],
    cacheWrite: ['cacheCreationInputTokens'],
    output: ['outputTokens'],
    cacheIsApart: true,
  },
  antigravity: {
    input: ['inputTokens'],
    cacheRead: ['cacheReadTokens'],
    output: ['outputTokens'],
    reasoning: ['thinkingOutputTokens'],
    cacheIsApart: true,
  },
  atif: {
    input: ['prompt_tokens'],
    cacheRead: ['cached_tokens'],
    cacheWrite: [['extra', 'cache_creation_input_tokens']],
    output: ['completion_tokens'],
    reasoning: [['extra', 'reasoning_tokens']],
    cacheIsApart: false,
  },
  /** Cline's and Copilot's event logs. */
  camelCase: {
    input: ['inputTokens', 'input'],
    cacheRead: ['cacheReadTokens'],
    cacheWrite: ['cacheWriteTokens'],
    output: ['outputTokens', 'output'],
    reasoning: ['reasoningTokens'],
    cacheIsApart: false,
    lifetime: 'cacheTtlSeconds',
  },
  continue: {
    input: ['promptTokens'],
    cacheRead: [['promptTokensDetails', 'cachedTokens']],
    cacheWrite: [['promptTokensDetails', 'cacheWriteTokens']],
    output: ['completionTokens'],
    reasoning: [['completionTokensDetails', 'reasoningTokens']],
    cacheIsApart: false,
  },
  /** Copilot's record with a reply: only the output. */
  copilotReply: { input: [], output: ['outputTokens'], cacheIsApart: false, mayLackInput: true },
  /** The record with a call in Copilot Chat's debug log. It lacks cache writes. */
  copilotDebug: {
    input: ['inputTokens'],
    cacheRead: ['cachedTokens'],
    output: ['outputTokens'],
    cacheIsApart: false,
  },
  /** The usage that Cline's interface shows. */
  clineShown: {
    input: ['tokensIn'],
    cacheRead: ['cacheReads'],
    cacheWrite: ['cacheWrites'],
    output: ['tokensOut'],
    cacheIsApart: true,
  },
  /** The usage that Roo Code records with a reply. */
  clineTokens: { input: ['prompt'], cacheRead: ['cached'], output: ['completion'], cacheIsApart: true },
  codex: {
    input: ['input_tokens'],
    cacheRead: ['cached_input_tokens'],
    cacheWrite: ['cache_write_input_tokens'],
    output: ['output_tokens'],
    reasoning: ['reasoning_output_tokens'],
    cacheIsApart: false,
  },
  geminiCli: {
    input: ['input'],
    moreInput: 'tool',
    cacheRead: ['cached'],
    output: ['output'],
    reasoning: ['thoughts'],
    cacheIsApart: false,
    reasoningIsApart: true,
  },
  /** The sum of a run of the Gemini CLI. `output_tokens` lacks the thoughts, which the total has. */
  geminiRun: {
    input: ['input_tokens'],
    cacheRead: ['cached'],
    output: ['output_tokens'],
    cacheIsApart: false,
  },
  /** The sum of a run by model, in the result of `claude -p`. */
  claudeRun: {
    input: ['inputTokens'],
    cacheRead: ['cacheReadInputTokens'],
    cacheWrite: ['cacheCreationInputTokens'],
    output: ['outputTokens'],
    cacheIsApart: true,
  },
  grok: {
    input: ['inputTokens'],
    cacheRead: ['cachedReadTokens'],
    cacheWrite: ['cacheCreationTokens'],
    output: ['outputTokens'],
    reasoning: ['reasoningTokens'],
    cacheIsApart: false,
  },
  /** Providers differ: the input may include the cached tokens. The total shows this. */
  inspect: {
    input: ['input_tokens'],
    cacheRead: ['input_tokens_cache_read'],
    cacheWrite: ['input_tokens_cache_write'],
    output: ['output_tokens'],
    reasoning: ['reasoning_tokens'],
    total: 'total_tokens',
    cacheIsApart: counts => totalIsOfAll({ ...counts, reasoning: 0 }),
  },
  kimi: {
    input: ['input_other', 'inputOther'],
    cacheRead: ['input_cache_read', 'inputCacheRead'],
    cacheWrite: ['input_cache_creation', 'inputCacheCreation'],
    output: ['output'],
    cacheIsApart: true,
    mayLackInput: true,
  },
  kiro: {
    input: ['input_token_count'],
    cacheRead: ['cache_read_input_token_count'],
    cacheWrite: ['cache_write_input_token_count'],
    output: ['output_token_count'],
    cacheIsApart: true,
    zeroIsUnknown: true,
  },
  langchain: {
    input: ['input_tokens'],
    cacheRead: [['input_token_details', 'cache_read']],
    cacheWrite: [['input_token_details', 'cache_creation']],
    output: ['output_tokens'],
    reasoning: [['output_token_details', 'reasoning']],
    cacheIsApart: false,
  },
  /**
   * If the total is the sum of all counts, every kind of token is counted separately. Otherwise the input includes the
   * cached ones.
   */
  langfuse: {
    input: ['input'],
    cacheRead: ['input_cached_tokens', 'cache_read_input_tokens', 'input_cache_read'],
    cacheWrite: ['cache_creation_input_tokens', 'input_cache_creation'],
    output: ['output'],
    reasoning: ['output_reasoning_tokens'],
    total: 'total',
    cacheIsApart: totalIsOfAll,
    reasoningIsApart: totalIsOfAll,
    mayLackInput: true,
  },
  lhar,
  /** LHAR keeps the provider's convention, and Anthropic's input excludes the cached tokens. */
  lharAnthropic: { ...lhar, cacheIsApart: true },
  /** The attributes of spans, in the conventions of OpenInference, OpenTelemetry and the AI SDK. */
  otlp: {
    input: [
      'llm.token_count.prompt',
      'gen_ai.usage.input_tokens',
      'gen_ai.usage.prompt_tokens',
      'ai.usage.inputTokens',
      'ai.usage.promptTokens',
    ],
    cacheRead: [
      'llm.token_count.prompt_details.cache_read',
      'gen_ai.usage.cache_read.input_tokens',
      'gen_ai.usage.cache_read_input_tokens',
      'ai.usage.cachedInputTokens',
    ],
    cacheWrite: [
      'llm.token_count.prompt_details.cache_write',
      'gen_ai.usage.cache_creation.input_tokens',
      'gen_ai.usage.cache_creation_input_tokens',
    ],
    output: [
      'llm.token_count.completion',
      'gen_ai.usage.output_tokens',
      'gen_ai.usage.completion_tokens',
      'ai.usage.outputTokens',
      'ai.usage.completionTokens',
    ],
    reasoning: [
      'llm.token_count.completion_details.reasoning',
      'gen_ai.usage.reasoning.output_tokens',
      'ai.usage.reasoningTokens',
    ],
    cacheIsApart: false,
    mayLackInput: true,
  },
  opencode,
  /** The same, for sessions whose messages show that the reasoning is counted in addition to the output. */
  opencodeBeside: { ...opencode, reasoningIsApart: counts => reasoningIsBeside(counts) ?? true },
  pi: {
    input: ['input'],
    cacheRead: ['cacheRead'],
    cacheWrite: ['cacheWrite'],
    output: ['output'],
    reasoning: ['reasoning'],
    cacheIsApart: true,
    writtenForHour: 'cacheWrite1h',
    zeroIsUnknown: true,
  },
  /** A VS Code chat does not record which part of a prompt was cached. */
  vscodeChat: { input: ['promptTokens'], output: ['completionTokens'], cacheIsApart: true },
} satisfies Readonly<Record<string, UsageDialect>>;

export type UsageDialectName = keyof typeof dialects;

/** The usage that an object records in a dialect; `undefined` if it records none. */
export function readUsage(usage: unknown, name: UsageDialectName): RecordedUsage | undefined {
  const dialect: UsageDialect = dialects[name];
  if (dialect.hasBilling !== true || !isObject(usage)) {
    return readCounts(usage, dialect);
  }
  const iterations = arrayAt(usage, 'iterations').filter(isObject);
  const served = iterations.findLast(isServed);
  const read = readCounts(
    served === undefined || iterations.filter(isServed).length === 1
      ? usage
      : { ...usage, ...withoutCache, ...served },
    dialect,
  );
  const passes = iterations.flatMap(each =>
    each === served ? [] : (passOf(each, readCounts(each, dialect)) ?? []),
  );
  const billing = billingIn(usage, passes);
  return read === undefined || billing === undefined ? read : { ...read, billing };
}

/** Members that an iteration may lack if they are zero. */
const withoutCache = {
  cache_read_input_tokens: 0,
  cache_creation_input_tokens: 0,
  cache_creation: undefined,
} as const;

/** True for an iteration that may have made the reply. The last such one did; its input is the context. */
function isServed(iteration: unknown): boolean {
  const type = stringAt(iteration, 'type');
  return type === 'message' || type === 'fallback_message';
}

/** Undefined for an attempt that is not billed: one of another model that stopped before its first output. */
function passOf(iteration: unknown, counts: RecordedUsage | undefined): BilledPass | undefined {
  const model = stringAt(iteration, 'model') ?? '';
  const type = stringAt(iteration, 'type');
  if (counts === undefined || (type === 'message' && model !== '' && counts.output === 0)) {
    return undefined;
  }
  const { input, cacheRead, cacheWrite, cacheLifetime, cacheWriteHour, output } = counts;
  return {
    kind:
      type === 'compaction'
        ? 'compaction'
        : type === 'advisor_message'
          ? 'advisor'
          : isServed(iteration)
            ? 'message'
            : 'other',
    model,
    input,
    cacheRead,
    cacheWrite,
    cacheWriteHour: cacheWriteHour ?? (cacheLifetime === 3600 ? cacheWrite : 0),
    output,
  };
}

/** The words of the standard terms. Groq's is `on_demand`. */
const standardTerms: ReadonlySet<string> = new Set([
  ...['', 'standard', 'standard_only', 'default', 'auto', 'on_demand'],
  ...['global', 'not_available'],
]);
const plainWord = /^[\w-]{1,40}$/;

/** The members of a usage, other than its counts, that change its cost; undefined if there are none. */
function billingIn(usage: unknown, passes: readonly BilledPass[]): Billing | undefined {
  const terms = termsOf(usage, ['speed', 'service_tier', 'inference_geo']);
  const called = objectAt(usage, 'server_tool_use') ?? {};
  const tools = Object.keys(called)
    .map(name => ({ name, calls: possible(countOf(called, name)) }))
    .filter(({ name, calls }) => calls > 0 && plainWord.test(name));
  return terms.length + tools.length + passes.length === 0 ? undefined : { terms, tools, passes };
}

/**
 * The usage with the service tier that a response of OpenAI's APIs names beside it: the one that served the request,
 * which may be another than the request asked for.
 */
export function withServiceTier(
  usage: RecordedUsage | undefined,
  response: unknown,
): RecordedUsage | undefined {
  const terms = termsOf(response, ['service_tier']);
  return usage === undefined || terms.length === 0
    ? usage
    : { ...usage, billing: { tools: [], passes: [], ...usage.billing, terms } };
}

/** The terms that an object names in some members, without the standard ones. */
function termsOf(holder: unknown, members: readonly string[]): readonly string[] {
  return members
    .map(name => stringAt(holder, name) ?? '')
    .filter(word => !standardTerms.has(word))
    .map(word => (plainWord.test(word) ? word : 'other'));
}

function readCounts(usage: unknown, dialect: UsageDialect): RecordedUsage | undefined {
  const recordedInput = largestOf(usage, dialect.input);
  const recordedOutput = largestOf(usage, dialect.output);
  if (recordedInput === undefined && (dialect.mayLackInput !== true || recordedOutput === undefined)) {
    return undefined;
  }
  const moreInput = countOf(usage, dialect.moreInput);
  const recordedRead = largestOf(usage, dialect.cacheRead);
  const recordedWrite = largestOf(usage, dialect.cacheWrite);
  const recordedReasoning = largestOf(usage, dialect.reasoning);
  const input = possible(recordedInput) + possible(moreInput);
  const read = possible(recordedRead);
  const written = possible(recordedWrite);
  const reasoning = recordedReasoning === impossible ? undefined : recordedReasoning;
  const total = countOf(usage, dialect.total);
  const counts: Counts = {
    input,
    cacheRead: read,
    cacheWrite: written,
    output: possible(recordedOutput),
    reasoning: reasoning ?? 0,
    total: total === impossible ? undefined : total,
  };
  const isDamaged =
    recordedInput === impossible ||
    recordedOutput === impossible ||
    moreInput === impossible ||
    recordedRead === impossible ||
    recordedWrite === impossible ||
    recordedReasoning === impossible;
  const isApart = holds(dialect.cacheIsApart, counts);
  const cacheRead = isApart ? read : Math.min(input, read);
  const cacheWrite = isApart ? written : Math.min(input - cacheRead, written);
  const found = {
    input: isApart ? input : input - cacheRead - cacheWrite,
    cacheRead,
    cacheWrite,
    output: counts.output + (holds(dialect.reasoningIsApart ?? false, counts) ? counts.reasoning : 0),
  };
  if (isDamaged) {
    return { ...found, ...(reasoning === undefined ? {} : { reasoning }), isDamaged };
  }
  if (dialect.zeroIsUnknown === true && tokensOf(found) === 0) {
    return undefined;
  }
  const forHour = possible(countOf(usage, dialect.writtenForHour));
  const lifetime = countOf(usage, dialect.lifetime);
  const cacheLifetime =
    forHour > 0
      ? 3600
      : possible(countOf(usage, dialect.writtenForMinutes)) > 0
        ? 300
        : lifetime === impossible
          ? undefined
          : lifetime;
  // The usual cases return here, without copying an object.
  if (cacheLifetime === undefined) {
    const { output } = found;
    return reasoning === undefined ? found : { input: found.input, cacheRead, cacheWrite, output, reasoning };
  }
  return {
    ...found,
    ...(reasoning === undefined ? {} : { reasoning }),
    cacheLifetime,
    ...(forHour > 0 && forHour < cacheWrite ? { cacheWriteHour: forHour } : {}),
  };
}

/**
 * The usage of the last request of a run of which only the sum is recorded: the sum is billed with it, and the input of
 * the request itself stays unknown. Undefined if nothing was used.
 */
export function runUsage(
  sums: readonly { readonly model?: string | undefined; readonly usage: RecordedUsage | undefined }[],
  tools: Billing['tools'] = [],
): RecordedUsage | undefined {
  const passes = sums.flatMap(({ model = '', usage }) => {
    if (usage === undefined || tokensOf(usage) === 0) {
      return [];
    }
    const { input, cacheRead, cacheWrite, cacheWriteHour = 0, output } = usage;
    return [{ kind: 'run' as const, model, input, cacheRead, cacheWrite, cacheWriteHour, output }];
  });
  return passes.length === 0
    ? undefined
    : { input: 0, cacheRead: 0, cacheWrite: 0, output: 0, billing: { terms: [], tools, passes } };
}

/** The usage with the US dollars that the agent recorded beside it. What cannot be a cost is left out. */
export function withCost(usage: RecordedUsage | undefined, cost: unknown): RecordedUsage | undefined {
  return usage !== undefined && typeof cost === 'number' && Number.isFinite(cost) && cost >= 0
    ? { ...usage, cost }
    : usage;
}

/** All tokens of a request: its input, cached or not, and its output. */
export function tokensOf({ input, cacheRead, cacheWrite, output }: RecordedUsage): number {
  return input + cacheRead + cacheWrite + output;
}

function holds(convention: Convention, counts: Counts): boolean {
  return typeof convention === 'boolean' ? convention : convention(counts);
}

function largestOf(usage: unknown, members: readonly Member[] | undefined): number | undefined {
  let largest: number | undefined;
  for (const member of members ?? []) {
    const count = countOf(usage, member);
    if (count !== undefined && (largest === undefined || count > largest)) {
      largest = count;
    }
  }
  return largest;
}

/**
 * Maximum plausible count, in tokens: more than any request or session of today, and small enough that the columns,
 * which have 32 bits, can store the sum of two.
 */
const largestCount = 2_000_000_000;

/** Marks a recorded value that cannot be a number of tokens. It is lower than all counts. */
const impossible = -1;

/** The count if it is plausible; 0 if it is missing or impossible. */
function possible(count: number | undefined): number {
  return count === undefined || count === impossible ? 0 : count;
}

/**
 * A whole number from 0 to `largestCount`; `impossible` for another number or a text; `undefined` for anything else.
 */
function countOf(usage: unknown, member: Member | undefined): number | undefined {
  if (member === undefined) {
    return undefined;
  }
  const count =
    typeof member === 'string' ? memberAt(usage, member) : memberAt(objectAt(usage, member[0]), member[1]);
  if (typeof count === 'number') {
    return count >= 0 && count <= largestCount && Number.isInteger(count) ? count : impossible;
  }
  return typeof count === 'string' ? impossible : undefined;
}
