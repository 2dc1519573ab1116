import { geminiResponseOf } from '../core/content/geminiStream';
import { isArray, isObject, member, objectAt, stringAt, toJson, type JsonObject } from '../core/base/json';
import type { PromptRole } from '../core/model/labels';
import type { RecordedUsage } from '../core/model/transcript';
import {
  NativeBackend,
  objectsAt,
  without,
  type NativeMessage,
  type NativeRequest,
  type NativeResponse,
} from './nativeBackend';
import { readUsage } from '../core/formats/common/usage';

/** A Content of the Gemini API. The API has no system role; here one is a message until a request is made. */
export class GeminiMessage implements NativeMessage<GeminiMessage> {
  constructor(readonly native: JsonObject) {}

  /** `tool` for a message that brings nothing but responses of functions. */
  role(): PromptRole {
    switch (this.native['role']) {
      case 'system':
        return 'system';
      case 'model':
        return 'assistant';
      default: {
        const parts = this.parts();
        const isTool =
          parts.length > 0 && parts.every(part => objectAt(part, 'functionResponse') !== undefined);
        return isTool || this.native['role'] === 'function' ? 'tool' : 'user';
      }
    }
  }

  /** Signed parts go back as they came (Gemini thought signatures guide, 2026-10). */
  preserveReasoning(): boolean {
    return (
      this.role() === 'assistant' &&
      this.parts().some(part => stringAt(part, 'thoughtSignature') !== undefined && isCall(part))
    );
  }

  withoutReasoning(): GeminiMessage {
    const kept = this.parts().filter(part => !isThought(part));
    return kept.length === this.parts().length ? this : new GeminiMessage({ ...this.native, parts: kept });
  }

  withRole(role: PromptRole): GeminiMessage {
    const name = role === 'assistant' ? 'model' : role === 'tool' ? 'user' : role;
    return new GeminiMessage({ ...this.native, role: name });
  }

  texts(): readonly string[] {
    return this.parts().flatMap(partTexts);
  }

  parts(): readonly JsonObject[] {
    return objectsAt(this.native, 'parts');
  }
}

/** A whole response, or one chunk of a stream: they have the same shape. Only the first candidate is looked at. */
export class GeminiResponse implements NativeResponse {
  constructor(readonly native: JsonObject) {}

  reasoningContent(): string | undefined {
    return this.textOf(isThought);
  }

  content(): string | undefined {
    return this.textOf(part => !isThought(part));
  }

  candidate(): JsonObject | undefined {
    return objectsAt(this.native, 'candidates')[0];
  }

  private textOf(includes: (part: JsonObject) => boolean): string | undefined {
    const parts = objectsAt(objectAt(this.candidate(), 'content'), 'parts').filter(includes);
    const texts = parts.flatMap(part => stringAt(part, 'text') ?? []);
    return texts.length === 0 ? undefined : texts.join('');
  }
}

/** The Gemini API. */
export class GeminiBackend extends NativeBackend<GeminiMessage, GeminiResponse> {
  protected readonly api = 'Gemini API';

  userMessage(content: string): GeminiMessage {
    return new GeminiMessage({ role: 'user', parts: [{ text: content }] });
  }

  systemMessage(content: string): GeminiMessage {
    return new GeminiMessage({ role: 'system', parts: [{ text: content }] });
  }

  /** The API wants the function's name; a request takes it from the call with this id. */
  toolMessage(toolCallId: string, content: string): GeminiMessage {
    return new GeminiMessage({
      role: 'user',
      parts: [{ functionResponse: { id: toolCallId, name: toolCallId, response: { output: content } } }],
    });
  }

  message(native: JsonObject): GeminiMessage {
    return new GeminiMessage(native);
  }

  response(native: JsonObject): GeminiResponse {
    return new GeminiResponse(native);
  }

  isMessage({ role, parts }: JsonObject): boolean {
    return isArray(parts) && (role === undefined || typeof role === 'string');
  }

  mergeChunks(responses: readonly GeminiResponse[]): GeminiMessage | undefined {
    const merged = geminiResponseOf(responses.map(({ native }) => native));
    const parts = objectsAt(objectAt(objectsAt(merged, 'candidates')[0], 'content'), 'parts');
    return parts.length === 0 ? undefined : new GeminiMessage({ role: 'model', parts });
  }

  wholeResponse(responses: readonly GeminiResponse[]): JsonObject | undefined {
    return geminiResponseOf(responses.map(({ native }) => native));
  }

  usage(responses: readonly GeminiResponse[]): RecordedUsage | undefined {
    return readUsage(objectAt(this.wholeResponse(responses), 'usageMetadata'), 'gemini');
  }

  request(messages: readonly GeminiMessage[], members: JsonObject, isStream: boolean): NativeRequest {
    const model = (stringAt(members, 'model') ?? '').replace(/^models\//, '');
    const isSystem = ({ native }: GeminiMessage): boolean => native['role'] === 'system';
    const firstTurn = messages.findIndex(message => !isSystem(message));
    const leading = messages.slice(0, firstTurn < 0 ? messages.length : firstTurn);
    const parts = [
      ...objectsAt(objectAt(members, 'systemInstruction'), 'parts'),
      ...leading.flatMap(message => message.parts()),
    ];
    const turns = messages.slice(leading.length);
    const names = namesOfCalls(turns);
    return {
      path: `/models/${encodeURIComponent(model)}:${isStream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
      body: {
        ...without(members, 'model'),
        ...(parts.length === 0 ? {} : { systemInstruction: { parts } }),
        // There is no system role between the turns.
        contents: turns.map(message => named(isSystem(message) ? message.withRole('user') : message, names)),
      },
    };
  }

  countRequest(messages: readonly GeminiMessage[], members: JsonObject): NativeRequest {
    const { path, body } = this.request(messages, members, false);
    const model = `models/${(stringAt(members, 'model') ?? '').replace(/^models\//, '')}`;
    return {
      path: path.replace(/:generateContent$/, ':countTokens'),
      body: { generateContentRequest: { model, ...body } },
    };
  }

  /** Every chunk has the shape of a whole response. */
  protected wholeMessage(): undefined {
    return undefined;
  }

  protected startsStream({ native }: GeminiResponse, first: GeminiResponse): boolean {
    return first.native['responseId'] !== native['responseId'];
  }

  protected isEnd(response: GeminiResponse): boolean {
    return (
      stringAt(response.candidate(), 'finishReason') !== undefined ||
      stringAt(objectAt(response.native, 'promptFeedback'), 'blockReason') !== undefined
    );
  }

  protected headers(apiKey: string | undefined): Readonly<Record<string, string>> {
    return apiKey === undefined ? {} : { 'x-goog-api-key': apiKey };
  }
}

function namesOfCalls(messages: readonly GeminiMessage[]): ReadonlyMap<string, string> {
  return new Map(
    messages
      .flatMap(message => message.parts())
      .flatMap(part => {
        const call = objectAt(part, 'functionCall');
        const id = stringAt(call, 'id');
        const name = stringAt(call, 'name');
        return id === undefined || name === undefined ? [] : [[id, name] as const];
      }),
  );
}

/** The message with the names of the functions whose responses know an id alone. */
function named({ native }: GeminiMessage, names: ReadonlyMap<string, string>): JsonObject {
  const parts = objectsAt(native, 'parts');
  const isUnnamed = (part: JsonObject): boolean => {
    const response = objectAt(part, 'functionResponse');
    return (
      response !== undefined &&
      response['name'] === response['id'] &&
      names.has(stringAt(response, 'id') ?? '')
    );
  };
  return parts.some(isUnnamed)
    ? {
        ...native,
        parts: parts.map(part => {
          const response = objectAt(part, 'functionResponse');
          return isUnnamed(part)
            ? { ...part, functionResponse: { ...response, name: names.get(stringAt(response, 'id') ?? '') } }
            : part;
        }),
      }
    : native;
}

function isThought(part: JsonObject): boolean {
  return member(part, 'thought') === true;
}

function isCall(part: JsonObject): boolean {
  return isObject(part['functionCall']);
}

function partTexts(part: JsonObject): readonly string[] {
  const text = stringAt(part, 'text');
  if (text !== undefined) {
    return [text];
  }
  const call = objectAt(part, 'functionCall');
  if (call !== undefined) {
    return [stringAt(call, 'name') ?? [], toJson(call['args'] ?? {})].flat();
  }
  const answer = objectAt(part, 'functionResponse');
  return answer === undefined ? [] : [toJson(answer['response'] ?? {})];
}
