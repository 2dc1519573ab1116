import { isAgentError } from '../core/model/contextBackend';
import type { Conversation } from '../core/model/conversation';
import type { RecordedUsage } from '../core/model/transcript';
import { sentConversation } from '../core/sending/sentConversation';
import type { TranscriptSession } from '../core/session/transcriptSession';
import { requestCost } from '../core/tokens/prices';
import type { ModelTarget, PreparedRequest, SendControl } from '../backend/modelTarget';
import { conversationZones, withQuestion } from '../backend/contextZones';
import { presetForModel, providerPreset, providerPresets, type ProviderPreset } from '../backend/providers';
import { secretScanner } from '../node/secretScannerOnDemand';
import { configHelp, readIndex, readPruneConfig, UsageError } from './arguments';
import { count, money, number } from './words';

/** Options of the commands that ask a model, or its counting service. */
export const askingOptions = {
  provider: { type: 'string' },
  model: { type: 'string' },
  'base-url': { type: 'string' },
  'key-variable': { type: 'string' },
  config: { type: 'string' },
  pruned: { type: 'boolean' },
  'keep-secrets': { type: 'boolean' },
  yes: { type: 'boolean' },
} as const;

export const askingSynopsis =
  '[--provider NAME] [--model ID] [--base-url URL] [--key-variable NAME] [--pruned [--config FILE]] [--keep-secrets] [--yes]';

export const askingHelp = `  --provider NAME   who is asked: ${providerPresets.map(({ id }) => id).join(', ')};
                    told by the model when left out
  --model ID        the model; the recorded one when left out
  --base-url URL    the provider's address in place of the known one
  --key-variable V  the environment variable that holds the key, in place of the provider's usual one
  --pruned          prune the request first, as the command prune shows
${configHelp}  --keep-secrets    send credentials as they are; without it they stand as [redacted: rule]
  --yes             send; without it the command only says what would be sent, where, and what it costs
`;

export interface AskingValues {
  readonly provider?: string | undefined;
  readonly model?: string | undefined;
  readonly 'base-url'?: string | undefined;
  readonly 'key-variable'?: string | undefined;
  readonly config?: string | undefined;
  readonly pruned?: boolean | undefined;
  readonly 'keep-secrets'?: boolean | undefined;
  /** A question in place of the recorded reply. */
  readonly ask?: string | undefined;
  readonly yes?: boolean | undefined;
}

/** A request that is ready to be sent, and was not. */
export interface ReadyRequest {
  readonly target: ModelTarget;
  readonly conversation: Conversation;
  readonly prepared: PreparedRequest;
  /** What the command line says before anything is sent. */
  readonly notice: string;
  /** The key is read when it is needed, and printed nowhere. */
  control(): SendControl;
}

/** Prepares a request of the transcript. Sends nothing. Throws UsageError. */
export async function readyRequest(
  session: TranscriptSession,
  request: number,
  values: AskingValues,
  maximumOutput?: number,
): Promise<ReadyRequest> {
  const model = values.model ?? session.transcript.requests[request]?.model ?? session.model;
  if (model === '') {
    throw new UsageError('The transcript names no model; say one with --model.');
  }
  const preset = presetOf(values.provider, model);
  const prune = values.pruned === true ? await readPruneConfig(values.config) : undefined;
  const recorded = await sentConversation(session, request, {
    prune,
    redactWith: values['keep-secrets'] === true ? undefined : secretScanner,
  });
  if (recorded === undefined) {
    throw new UsageError(`There is no request ${request}.`);
  }
  const conversation = values.ask === undefined ? recorded : withQuestion(recorded, values.ask);
  // What talks to models is loaded by the commands that need it alone.
  const { createTarget } = await import('../backend/main');
  const target = createTarget({
    preset,
    model,
    baseUrl: values['base-url'],
    maximumOutput,
    lookUp: id => session.modelRow(id),
  });
  const prepared = asUsageError(() => target.prepare(conversation));
  const notes = [...prepared.notes, ...(await target.sizeNotes(conversation))];
  return {
    target,
    conversation,
    prepared,
    notice: describe({ ...prepared, notes }, conversation, model, preset),
    control: () => ({ apiKey: keyOf(preset, values['key-variable']) }),
  };
}

function presetOf(provider: string | undefined, model: string): ProviderPreset {
  const preset = provider === undefined ? presetForModel(model) : providerPreset(provider);
  if (preset === undefined) {
    const names = providerPresets.map(({ id }) => id).join(', ');
    throw new UsageError(
      provider === undefined
        ? `Who runs ${model} is not known; say it with --provider (${names}).`
        : `There is no provider ${provider}; there are ${names}.`,
    );
  }
  return preset;
}

function keyOf(preset: ProviderPreset, variable: string | undefined): string | undefined {
  const name = variable ?? preset.keyVariable;
  const key = name === undefined ? undefined : process.env[name];
  if (name !== undefined && (key === undefined || key === '')) {
    throw new UsageError(`The environment variable ${name} holds no key.`);
  }
  return key;
}

function describe(
  { host, isLocal, messages, bytes, notes }: PreparedRequest,
  conversation: Conversation,
  model: string,
  preset: ProviderPreset,
): string {
  const { compressed } = conversationZones(conversation);
  const summaries = compressed.length === 0 ? '' : ` (${compressed.length} of summaries)`;
  return [
    `To ${preset.name} at ${host}${isLocal ? ', on this machine' : ''}, model ${model}: ` +
      `${count(messages.length, 'message')}${summaries}, ${number(bytes)} bytes`,
    ...notes.map(note => `  ${note}`),
    '',
  ].join('\n');
}

/** Errors of the backends are the user's to put right. */
function asUsageError<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw isAgentError(error) ? new UsageError(error.message) : error;
  }
}

/** What so many tokens cost at the model's list prices; undefined where they are unknown. */
export function costOf(session: TranscriptSession, model: string, usage: RecordedUsage): number | undefined {
  const prices = session.modelRow(model)?.prices;
  return prices === undefined ? undefined : requestCost(prices, usage, Date.now());
}

/** The most that a request can cost: nothing is read from a cache, and the answer is as long as allowed. */
export function highestCost(
  session: TranscriptSession,
  model: string,
  inputTokens: number,
  outputTokens: number,
): string {
  const cost = costOf(session, model, {
    input: inputTokens,
    cacheRead: 0,
    cacheWrite: 0,
    output: outputTokens,
  });
  return cost === undefined
    ? `no list price is known for ${model}`
    : `at most ${money(cost)} at list prices, with ${count(outputTokens, 'token')} of answer`;
}

export function readCount(option: string, text: string | undefined, otherwise: number): number {
  const value = text === undefined ? otherwise : readIndex(option, text);
  if (value === 0) {
    throw new UsageError(`${option} takes a whole number from 1.`);
  }
  return value;
}
