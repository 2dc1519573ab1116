import { canonicalJson, digest, normalizeWhitespace } from '../base/canonicalJson';
import type { JsonValue } from '../base/jsonValue';
import type { HashText } from '../base/sha256';
import type { PromptRole, ProvenanceLabel, SensitivityLabel } from '../model/labels';
import { type PromptBlock, type PromptIR, spanId } from '../model/promptIr';
import {
  type AnnotatedContent,
  type AnnotatedMessage,
  type AnnotatedPart,
  type AnnotatedRequest,
  messageToJson,
  partJson,
  requestToJson,
  toolCallToJson,
} from './annotatedRequest';

/** The options of one build. Identity and time come from outside, so that building is pure. */
export interface PromptIrOptions {
  /** UUID of the new instance. */
  readonly irId: string;
  /** RFC 3339, UTC. */
  readonly createdAt: string;
  /** The platform's SHA-256, if it has a faster one. */
  readonly hashText?: HashText | undefined;
  /**
   * Compute the hash of the request: needed only if this is the request that was sent, or if equal requests must be
   * recognised.
   */
  readonly withSourceHash: boolean;
  /** Make every image a separate block after its message's text, if there is any. Upstream drops images. */
  readonly imageBlocks?: boolean;
  /** Labels for each block. Upstream knows no private block and no retrieved or remembered one. */
  readonly classify?: (block: PromptBlock) => {
    readonly provenance: ProvenanceLabel;
    readonly sensitivity: SensitivityLabel;
  };
}

/** The part of a request that a block was made of. `call` is a place among the calls of a message. */
export type BlockOrigin =
  | { readonly part: 'instructions' | 'responseFormat' }
  | { readonly part: 'tools'; readonly index: number }
  | { readonly part: 'messages'; readonly index: number; readonly call?: number };

type Draft = Pick<PromptBlock, 'role' | 'contentType' | 'provenance'> & {
  readonly text: string;
  readonly suffix?: string;
};

type PlacedDraft = Draft & { readonly origin: BlockOrigin };

/**
 * Splits a request into blocks (NeMo Relay, acg/ir_builder.rs, 2026-08): instructions, leading system and developer
 * messages, then the scaffold (tool schemas in the order of the request, response format), then the conversation.
 * Contents except the response format are normalised for comparison and differ from what is sent.
 */
export function buildPromptIr(request: AnnotatedRequest, options: PromptIrOptions): PromptIR {
  const { tools } = request;
  const responseFormat = presentResponseFormat(request);
  return {
    irId: options.irId,
    blocks: draftsOf(request, options).map((draft, index) => labelled(blockOf(draft, index), options)),
    ...(tools && {
      toolSchemaHashes: tools.map(({ name, definition }) => ({
        toolName: name,
        schemaHash: digest(canonicalJson(definition), options.hashText),
      })),
    }),
    ...(responseFormat !== undefined && {
      structuredOutputSchemaId: digest(canonicalJson(responseFormat), options.hashText),
    }),
    ...(options.withSourceHash && {
      sourceRequestHash: digest(canonicalJson(requestToJson(request)), options.hashText),
    }),
    createdAt: options.createdAt,
  };
}

/** The origin of each block of a request's Prompt IR, in order. */
export function blockOrigins(request: AnnotatedRequest): readonly BlockOrigin[] {
  return draftsOf(request, {}).map(({ origin }) => origin);
}

type DraftOptions = Pick<PromptIrOptions, 'imageBlocks'>;

function draftsOf(request: AnnotatedRequest, options: DraftOptions): readonly PlacedDraft[] {
  const { instructions, messages } = request;
  const first = messages.findIndex(({ role }) => role !== 'system' && role !== 'developer');
  const leading = first < 0 ? messages.length : first;
  const ofMessage = (message: AnnotatedMessage, index: number): readonly PlacedDraft[] => {
    const drafts = messageDrafts(message, options);
    const calls = message.role === 'assistant' ? (message.toolCalls?.length ?? 0) : 0;
    return drafts.map((draft, place) => {
      const call = place - (drafts.length - calls);
      return { ...draft, origin: { part: 'messages', index, ...(call >= 0 && { call }) } };
    });
  };
  const ofMessages = messages.map(ofMessage);
  return [
    ...(instructions === undefined
      ? []
      : [
          {
            ...textDraft('system', 'system', instructions, 'instructions'),
            origin: { part: 'instructions' } as const,
          },
        ]),
    ...ofMessages.slice(0, leading).flat(),
    ...scaffoldDrafts(request),
    ...ofMessages.slice(leading).flat(),
  ];
}

function presentResponseFormat({ responseFormat }: AnnotatedRequest): JsonValue | undefined {
  return responseFormat === null ? undefined : responseFormat;
}

function scaffoldDrafts(request: AnnotatedRequest): readonly PlacedDraft[] {
  const responseFormat = presentResponseFormat(request);
  const schemas = (request.tools ?? []).map(({ name, definition }, index): PlacedDraft => ({
    role: 'system',
    contentType: 'tool_schema',
    provenance: 'system',
    text: canonicalJson(definition),
    suffix: name,
    origin: { part: 'tools', index },
  }));
  return responseFormat === undefined
    ? schemas
    : [
        ...schemas,
        {
          role: 'system',
          contentType: 'structured_output',
          provenance: 'system',
          text: canonicalJson(responseFormat),
          suffix: 'structured-output',
          origin: { part: 'responseFormat' },
        },
      ];
}

function messageDrafts(message: AnnotatedMessage, options: DraftOptions): Draft[] {
  switch (message.role) {
    case 'system':
      return contentDrafts(textDraft('system', 'system', message.content), message.content, options);
    case 'developer':
      return contentDrafts(
        textDraft('system', 'developer', message.content, 'developer'),
        message.content,
        options,
      );
    case 'user':
      return contentDrafts(textDraft('user', 'user', message.content), message.content, options);
    case 'assistant': {
      const { content, toolCalls = [] } = message;
      const text =
        content === undefined
          ? []
          : contentDrafts(textDraft('assistant', 'developer', content), content, options);
      const calls = toolCalls.map(call =>
        textDraft('assistant', 'developer', canonicalJson(toolCallToJson(call)), call.function.name),
      );
      return [...text, ...calls];
    }
    case 'tool': {
      const text = textDraft('tool', 'tool', message.content, message.toolCallId);
      return contentDrafts({ ...text, contentType: 'tool_result' }, message.content, options);
    }
    case 'function':
      return [textDraft('tool', 'tool', message.content ?? '', message.name)];
    case 'tool_call':
      return [itemDraft('assistant', 'developer', message, message.name)];
    case 'tool_result':
      return [itemDraft('tool', 'tool', message, message.callId)];
    case 'provider_native':
      return [itemDraft('user', 'developer', message, message.kind)];
  }
}

function contentDrafts(
  text: Draft,
  content: AnnotatedContent,
  { imageBlocks = false }: DraftOptions,
): Draft[] {
  if (!imageBlocks || typeof content === 'string') {
    return [text];
  }
  const images = content.filter(isImage).map((part): Draft => ({
    role: text.role,
    contentType: 'image',
    provenance: text.provenance,
    text: partJson(part),
    suffix: 'image',
  }));
  return images.length === content.length && images.length > 0 ? images : [text, ...images];
}

function textDraft(
  role: PromptRole,
  provenance: ProvenanceLabel,
  content: AnnotatedContent,
  suffix?: string,
): Draft {
  return {
    role,
    contentType: 'text',
    provenance,
    text: extractText(content),
    ...(suffix !== undefined && { suffix }),
  };
}

function itemDraft(
  role: PromptRole,
  provenance: ProvenanceLabel,
  message: AnnotatedMessage,
  suffix: string,
): Draft {
  return textDraft(role, provenance, canonicalJson(messageToJson(message)), suffix);
}

function extractText(content: AnnotatedContent): string {
  return typeof content === 'string'
    ? content
    : content
        .map(partText)
        .filter(text => text !== '')
        .join('\n');
}

function partText(part: AnnotatedPart): string {
  switch (part.type) {
    case 'text':
      return part.text;
    case 'refusal':
      return part.refusal;
    case 'image_url':
    case 'image':
      return '';
    case 'audio':
    case 'file':
    case 'tool_use':
    case 'tool_result':
    case 'provider_native':
      return partJson(part);
  }
}

function isImage(part: AnnotatedPart): boolean {
  return part.type === 'image_url' || part.type === 'image';
}

function blockOf({ role, contentType, provenance, text, suffix }: Draft, index: number): PromptBlock {
  return {
    spanId: spanId(role, index, suffix),
    sequenceIndex: index,
    role,
    // A schema of the reply counts to the letter.
    content: contentType === 'structured_output' ? text : normalizeWhitespace(text),
    contentType,
    provenance,
    sensitivity: 'public',
  };
}

function labelled(block: PromptBlock, { classify }: PromptIrOptions): PromptBlock {
  return classify === undefined ? block : { ...block, ...classify(block) };
}
