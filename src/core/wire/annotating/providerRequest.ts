import { isJsonValue, type JsonValue, type JsonValueObject } from '../../base/jsonValue';
import type { Protocol } from '../../model/protocol';
import { type AnnotatedRequest, type AnnotatedTool, requestToJson } from '../../context/annotatedRequest';
import { annotatedFromJson } from './annotatedFromJson';
import { anthropicRequest, anthropicTool } from '../anthropic/annotated';
import { chatRequest, chatTool } from '../openaiChat/annotated';
import { geminiRequest } from '../gemini/annotated';
import { isJsonObject, kindOf, memberOf, RefusedRequest } from './members';
import { responsesRequest, responsesTool } from '../openaiResponses/annotated';

const annotators: Readonly<Record<Protocol, (body: JsonValueObject) => AnnotatedRequest>> = {
  anthropic: anthropicRequest,
  openaiChat: chatRequest,
  openaiResponses: responsesRequest,
  gemini: geminiRequest,
};

/**
 * The body of a recorded request in a form that does not depend on the provider, as NeMo Relay's codecs read it
 * (release 0.9.2). Undefined if upstream refuses the body.
 */
export function providerRequest(api: Protocol, body: unknown): AnnotatedRequest | undefined {
  if (!isJsonValue(body) || !isJsonObject(body)) {
    return undefined;
  }
  // Upstream reads the output of its codecs once more: a member unknown to them may have a name of upstream's form.
  return unlessRefused(() => annotatedFromJson(requestToJson(annotators[api](body))));
}

/** A tool definition of any provider in upstream's form. Its members show the provider. */
export function providerTool(definition: JsonValue, name: string): AnnotatedTool {
  const tool = isJsonObject(definition) ? definition : {};
  const isAnthropic = Object.hasOwn(tool, 'input_schema') || /_\d{8}$/.test(kindOf(tool));
  const read = isJsonObject(memberOf(tool, 'function'))
    ? chatTool
    : isAnthropic
      ? anthropicTool
      : responsesTool;
  return unlessRefused(() => read(tool)) ?? { name, definition: tool };
}

function unlessRefused<Read>(read: () => Read): Read | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof RefusedRequest) {
      return undefined;
    }
    throw error;
  }
}
