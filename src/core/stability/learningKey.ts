import { canonicalJson, digest } from '../base/canonicalJson';
import type { JsonValue } from '../base/jsonValue';
import type { HashText } from '../base/sha256';
import {
  type AnnotatedContent,
  type AnnotatedMessage,
  type AnnotatedPart,
  type AnnotatedRequest,
  contentToJson,
  partJson,
} from '../context/annotatedRequest';

// NeMo Relay's learning key (acg_profile.rs, release 0.9.2): requests of one key are observations of the same thing.

/** Number of characters of a fingerprint that count if the request has no scaffold, including its label. */
const shortLength = 16;

/**
 * The key under which upstream learns from a request: agent, model, system prompt, tools and response format. Messages
 * count only if a request has none of the last three; then a short form of the first one counts.
 */
export function learningKey(
  agent: string,
  model: string | undefined,
  request: AnnotatedRequest,
  hashText?: HashText,
): string {
  const { tools, responseFormat, messages } = request;
  const system = systemFingerprint(request, hashText);
  const format =
    responseFormat === undefined || responseFormat === null
      ? undefined
      : digest(canonicalJson(responseFormat), hashText);
  const hasScaffold =
    system !== undefined || (tools !== undefined && tools.length > 0) || format !== undefined;
  const toolKey =
    tools === undefined
      ? 'no-tools'
      : tools.length === 0
        ? 'tools-unavailable'
        : digest(tools.map(({ definition }) => canonicalJson(definition)).join('|'), hashText);
  const seed = hasScaffold ? 'stable-scaffold' : seedFingerprint(messages, hashText).slice(0, shortLength);
  return [
    `${agent}::model=${model ?? 'unknown'}`,
    `seed=${seed}`,
    `system=${system ?? 'no-system'}`,
    `tools=${hasScaffold ? toolKey : toolKey.slice(0, shortLength)}`,
    ...(format === undefined ? [] : [`response_format=${format}`]),
  ].join('::');
}

function systemFingerprint(
  { instructions, messages }: AnnotatedRequest,
  hashText?: HashText,
): string | undefined {
  const parts = [
    ...(instructions === undefined ? [] : [{ source: 'instructions', content: contentToJson(instructions) }]),
    ...messages.flatMap(message =>
      message.role === 'system' || message.role === 'developer'
        ? [{ source: 'message', role: message.role, content: contentToJson(message.content) }]
        : [],
    ),
  ];
  return parts.length === 0 ? undefined : digest(canonicalJson(parts), hashText);
}

/**
 * The role and digest of the first message. Digits of the digest are included only if the short form has space for
 * them.
 */
function seedFingerprint(messages: readonly AnnotatedMessage[], hashText?: HashText): string {
  const first = messages.find(({ role }) => role !== 'system' && role !== 'developer');
  switch (first?.role) {
    case undefined:
    case 'system':
    case 'developer':
      return 'no-seed';
    case 'user':
    case 'tool':
      return `${first.role}:${digest(seedText(first.content), hashText)}`;
    case 'assistant':
      return first.content === undefined ? 'assistant:no-content' : 'assistant:sha256:';
    case 'function':
      return 'function:sha256:';
    case 'tool_call':
      return 'tool-call:sha256:';
    case 'tool_result':
      return 'tool-result:sha256:';
    case 'provider_native': {
      const { provider, kind, value } = first;
      return `native:${digest(canonicalJson({ provider, kind, value } satisfies JsonValue), hashText)}`;
    }
  }
}

function seedText(content: AnnotatedContent): string {
  return typeof content === 'string' ? content : content.map(seedPart).join('\n');
}

function seedPart(part: AnnotatedPart): string {
  switch (part.type) {
    case 'text':
      return part.text;
    case 'refusal':
      return part.refusal;
    case 'image_url':
      return `[image:${part.imageUrl.detail ?? 'none'}:${digest(part.imageUrl.url)}]`;
    case 'image':
    case 'audio':
    case 'file':
    case 'tool_use':
    case 'tool_result':
    case 'provider_native':
      return partJson(part);
  }
}
