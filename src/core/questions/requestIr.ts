import { parseJson, type ValuePath } from '../base/json';
import { isJsonValue, type JsonValue } from '../base/jsonValue';
import type { HashText } from '../base/sha256';
import type { AnnotatedMessage, AnnotatedRequest, AnnotatedTool } from '../context/annotatedRequest';
import { type BlockOrigin, blockOrigins, buildPromptIr } from '../context/promptIrBuilder';
import { providerTool } from '../wire/annotating/providerRequest';
import type { BodyBlockPaths } from '../wire/bodyBlocks';
import { assertNever, sensitivityLabels } from '../model/labels';
import type { PromptBlock, PromptIR, SpanId } from '../model/promptIr';
import type { TextBlock } from '../session/taskStateOf';

/** A block of the program's own Prompt IR. */
export interface OwnBlock extends PromptBlock {
  /** 0-based place on the wire, as used by findings. */
  readonly position: number;
  /** The block of upstream's Prompt IR that contains this block; absent if there is none. */
  readonly upstreamSpan?: SpanId;
}

/** The Prompt IR of a request as upstream builds it, and the program's own blocks, which are finer. */
export interface RequestIr {
  readonly upstream: PromptIR;
  /** True if `upstream` is built from the sent request; false if from the program's own blocks. */
  readonly isRecorded: boolean;
  readonly own: readonly OwnBlock[];
}

/** A block of a request with the facts known from the view. */
export interface IrSource extends TextBlock {
  /** 0-based place in the Prompt IR, which is not always the place on the wire. */
  readonly sequenceIndex: number;
  /** 0-based place on the wire. */
  readonly position: number;
  readonly tokens: number;
  /** Index into sensitivityLabels. */
  readonly sensitivity: number;
}

export interface IrIdentity {
  readonly irId: string;
  /** RFC 3339, UTC. */
  readonly createdAt: string;
  /** The model whose tokens are counted. */
  readonly modelFamily: string;
}

/** The recorded body of a request in upstream's form, with the paths of the blocks in it. */
export interface RecordedIrBody {
  readonly request: AnnotatedRequest;
  readonly paths: BodyBlockPaths;
}

/**
 * The Prompt IR of a request: as upstream builds it from the recorded body; and in the program's own blocks with
 * detected provenance and sensitivity, the tokens of the view, and image blocks. Without a body, the second replaces
 * the first.
 */
export function requestIr(
  sources: readonly IrSource[],
  identity: IrIdentity,
  body: RecordedIrBody | undefined,
  hashText?: HashText,
): RequestIr {
  const inSequence = [...sources].sort((first, second) => first.sequenceIndex - second.sequenceIndex);
  const { irId, createdAt } = identity;
  const built = buildPromptIr(annotatedRequestOf(inSequence), {
    irId,
    createdAt,
    hashText,
    withSourceHash: false,
    imageBlocks: true,
    classify: block => {
      const source = inSequence[block.sequenceIndex];
      return {
        provenance: source?.block.provenance ?? block.provenance,
        sensitivity: sensitivityLabels[source?.sensitivity ?? 0] ?? 'public',
      };
    },
  });
  const rebuilt: PromptIR = {
    ...built,
    blocks: built.blocks.map((block, index) => ({
      ...block,
      tokenMetadata: { modelFamily: identity.modelFamily, tokenCount: inSequence[index]?.tokens ?? 0 },
    })),
  };
  const upstream =
    body === undefined
      ? rebuilt
      : buildPromptIr(body.request, { irId, createdAt, hashText, withSourceHash: true });
  const spanAt =
    body === undefined
      ? (_position: number, index: number) => rebuilt.blocks[index]?.spanId
      : spansByPosition(body, upstream, sources.length);
  return {
    upstream,
    isRecorded: body !== undefined,
    own: rebuilt.blocks.map((block, index) => {
      const position = inSequence[index]?.position ?? index;
      const upstreamSpan = spanAt(position, index);
      return { ...block, position, ...(upstreamSpan !== undefined && { upstreamSpan }) };
    }),
  };
}

/**
 * The span of upstream's block at each place on the wire. Content that a provider kept from earlier requests has no
 * span.
 */
function spansByPosition(
  { request, paths }: RecordedIrBody,
  upstream: PromptIR,
  count: number,
): (position: number) => SpanId | undefined {
  const spans = new Map(
    blockOrigins(request).map((origin, index) => [originKey(origin), upstream.blocks[index]?.spanId]),
  );
  const { head, messages } = paths;
  return position => {
    const path = position < head.length ? head[position] : messages[position - (count - messages.length)];
    return path === undefined
      ? undefined
      : originsOf(path)
          .map(origin => spans.get(originKey(origin)))
          .find(span => span !== undefined);
  };
}

function originKey(origin: BlockOrigin): string {
  switch (origin.part) {
    case 'instructions':
    case 'responseFormat':
      return origin.part;
    case 'tools':
      return `tools ${origin.index}`;
    case 'messages':
      return `messages ${origin.index} ${origin.call ?? ''}`;
  }
}

/** The possible origins for a path in a request's body, the closest first. */
function originsOf([member, index, inner, call]: ValuePath): readonly BlockOrigin[] {
  switch (member ?? '') {
    case 'system':
    case 'instructions':
      return [{ part: 'instructions' }];
    case 'response_format':
      return [{ part: 'responseFormat' }];
    case 'tools':
      return [{ part: 'tools', index: Number(index) }];
    case 'messages':
    case 'input': {
      const message = { part: 'messages', index: Number(index ?? 0) } as const;
      const first = { ...message, call: 0 };
      return inner === 'tool_calls' ? [{ ...message, call: Number(call) }, message] : [message, first];
    }
    default:
      return [];
  }
}

/** The request in the provider-neutral form. Every block is a separate message, tool or output schema. */
export function annotatedRequestOf(sources: readonly TextBlock[]): AnnotatedRequest {
  const tools = sources.flatMap(toolOf);
  const output = sources.find(({ block }) => block.kind === 'structuredOutput');
  return {
    messages: sources.flatMap(messageOf),
    ...(tools.length === 0 ? {} : { tools }),
    ...(output === undefined ? {} : { responseFormat: parsed(output.text) }),
  };
}

function toolOf({ block, text }: TextBlock): readonly AnnotatedTool[] {
  return block.kind === 'toolSchema' ? [providerTool(parsed(text), block.toolName ?? '')] : [];
}

function messageOf({ block, text }: TextBlock): readonly AnnotatedMessage[] {
  const content = block.contentType === 'image' ? [{ type: 'image', image: text } as const] : text;
  switch (block.kind) {
    case 'toolSchema':
    case 'structuredOutput':
      return [];
    case 'toolCall': {
      const call = {
        id: block.callId ?? '',
        type: 'function',
        function: { name: block.toolName ?? '', arguments: text },
      };
      return [{ role: 'assistant', toolCalls: [call] }];
    }
    case 'systemPrompt':
    case 'prompt':
    case 'injected':
    case 'assistant':
    case 'thinking':
    case 'toolResult':
    case 'image':
    case 'summary':
    case 'other':
      break;
    default:
      return assertNever(block.kind);
  }
  switch (block.role) {
    case 'system':
      return [{ role: isDeveloperMessage(block) ? 'developer' : 'system', content }];
    case 'user':
    case 'assistant':
      return [{ role: block.role, content }];
    case 'tool':
      return [{ role: 'tool', content, toolCallId: block.callId ?? '' }];
    default:
      return assertNever(block.role);
  }
}

/** True for a system prompt of the developer, which has OpenAI's role of that name. */
function isDeveloperMessage({ kind, provenance }: TextBlock['block']): boolean {
  return kind === 'systemPrompt' && provenance === 'developer';
}

function parsed(json: string): JsonValue {
  // A damaged file may contain only the beginning of a definition.
  const value = parseJson(json);
  return isJsonValue(value) ? value : null;
}
