import type { ModelTarget, PreparedRequest, SendControl } from '../backend/modelTarget';
import { presetForModel, type ProviderPreset, providerPreset } from '../backend/providers';
import { translate } from '../core/base/translate';
import { isAgentError } from '../core/model/contextBackend';
import type { Conversation } from '../core/model/conversation';
import type { RecordedUsage } from '../core/model/transcript';
import { redactConversation } from '../core/sending/redactConversation';
import { sentConversation } from '../core/sending/sentConversation';
import type { TranscriptSession } from '../core/session/transcriptSession';
import { requestCost } from '../core/tokens/prices';
import { noRequest } from '../core/view/requestNames';
import { secretScanner } from '../node/secrets/secretScannerOnDemand';
import { UsageError, type Values } from './command';
import { providerNames, type sendOptions } from './options/sendOptions';
import { printNotice } from './output/terminal';
import { readPruneConfig } from './options/values';
import { money, number, tokens } from './output/words';

/** A prepared request that has not been sent. */
export interface ReadyRequest {
  readonly target: ModelTarget;
  readonly conversation: Conversation;
  readonly prepared: PreparedRequest;
  /** The notice for the user before anything is sent. */
  readonly notice: string;
  /** Reads the key, which is never printed. Throws UsageError if it is not set. */
  control(): SendControl;
}

/**
 * Prepares a request of the transcript. Sends nothing. Throws UsageError.
 * @param edited changes the content to send, before credentials are removed
 */
export async function readyRequest(
  session: TranscriptSession,
  request: number,
  values: Values<typeof sendOptions>,
  maximumOutput?: number,
  edited: (recorded: Conversation, target: ModelTarget) => Promise<Conversation> = recorded =>
    Promise.resolve(recorded),
): Promise<ReadyRequest> {
  const model = values.model ?? session.transcript.requests[request]?.model ?? session.model;
  if (model === '') {
    throw new UsageError(translate('The transcript does not name a model. Choose one with --model.'));
  }
  const preset = presetOf(values.provider, model);
  const prune = values.pruned === true ? await readPruneConfig(values.config) : undefined;
  const redactWith = values['keep-secrets'] === true ? undefined : secretScanner;
  const recorded = await sentConversation(session, request, { prune, redactWith });
  if (recorded === undefined) {
    throw new UsageError(noRequest(request));
  }
  // Loaded only by commands that need the code for talking to models.
  const { createTarget } = await import('../backend/main');
  const target = await asUsageError(() =>
    createTarget({
      preset,
      model,
      baseUrl: values['base-url'],
      maximumOutput,
      lookUp: id => session.modelRow(id),
    }),
  );
  const changed = await asUsageError(() => edited(recorded, target));
  const conversation =
    changed === recorded || redactWith === undefined
      ? changed
      : await redactConversation(changed, redactWith);
  const prepared = await asUsageError(() => target.prepare(conversation));
  const notes = [...prepared.notes, ...(await target.sizeNotes(conversation))];
  return {
    target,
    conversation,
    prepared,
    notice: describe({ ...prepared, notes }, model, preset),
    control: () => ({ apiKey: keyOf(preset, values['key-variable']) }),
  };
}

/** Shows the planned request. Returns true if the user agrees to send it. */
export async function confirmed(
  { notice }: Pick<ReadyRequest, 'notice'>,
  limit: string,
  yes: boolean | undefined,
): Promise<boolean> {
  await printNotice(`${notice}  ${limit}\n`);
  if (yes !== true) {
    await printNotice(`${translate('Nothing was sent. Add --yes to send it.')}\n`);
  }
  return yes === true;
}

function presetOf(provider: string | undefined, model: string): ProviderPreset {
  const preset = provider === undefined ? presetForModel(model) : providerPreset(provider);
  if (preset === undefined) {
    throw new UsageError(
      provider === undefined
        ? translate(
            'The provider of {0} is not known. Choose one with --provider: {1}.',
            model,
            providerNames,
          )
        : translate('Provider {0} is unknown. The providers are {1}.', provider, providerNames),
    );
  }
  return preset;
}

function keyOf(preset: ProviderPreset, variable: string | undefined): string | undefined {
  const name = variable ?? preset.keyVariable;
  const key = name === undefined ? undefined : process.env[name];
  if (name !== undefined && (key === undefined || key === '')) {
    throw new UsageError(translate('The environment variable {0} does not contain a key.', name));
  }
  return key;
}

function describe(
  { destination, isLocal, messages, bytes, notes }: PreparedRequest,
  model: string,
  preset: ProviderPreset,
): string {
  const place = isLocal ? translate('{0} on this machine', destination) : destination;
  const sent = translate('{0, plural, one {# message} other {# messages}}', messages.length);
  const line = translate(
    'To {0} at {1}, model {2}: {3}, {4} bytes',
    preset.name,
    place,
    model,
    sent,
    number(bytes),
  );
  return [line, ...notes.map(note => `  ${note}`), ''].join('\n');
}

/** Turns a backend's errors into UsageErrors, because the user can correct their causes. */
export async function asUsageError<Result>(work: () => Result | Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw isAgentError(error) ? new UsageError(error.message) : error;
  }
}

/** US dollars of a request at the model's list prices; undefined if they are unknown. */
export function costOf(session: TranscriptSession, model: string, usage: RecordedUsage): number | undefined {
  const prices = session.modelRow(model)?.prices;
  return prices === undefined ? undefined : requestCost(prices, usage, Date.now());
}

/** Maximum cost of a request: nothing is read from the cache, and the answer has the maximum length. */
export function highestCost(
  session: TranscriptSession,
  model: string,
  input: number,
  output: number,
): string {
  const cost = costOf(session, model, { input, cacheRead: 0, cacheWrite: 0, output });
  return cost === undefined
    ? translate('no known list price for {0}', model)
    : translate('at most {0} at list prices, with an answer of {1}', money(cost), tokens(output));
}
