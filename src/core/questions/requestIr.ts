import { parseJson } from '../base/json';
import { type JsonValue, type JsonValueObject, isJsonValue, isRecord } from '../base/jsonValue';
import type { HashText } from '../base/sha256';
import type { AnnotatedMessage, AnnotatedRequest, AnnotatedTool } from '../context/annotatedRequest';
import { buildPromptIr } from '../context/promptIrBuilder';
import { assertNever, sensitivityLabels } from '../model/labels';
import type { PromptIR } from '../model/promptIr';
import type { TextBlock } from '../session/taskStateOf';

/** A block of a request with what the view knows about it. */
export interface IrSource extends TextBlock {
  /** 0-based place in the Prompt IR, which is not always the place on the wire. */
  readonly sequenceIndex: number;
  readonly tokens: number;
  /** Index into sensitivityLabels. */
  readonly sensitivity: number;
}

export interface IrIdentity {
  readonly irId: string;
  /** RFC 3339, UTC. */
  readonly createdAt: string;
  /** The model whose tokens the counts are. */
  readonly modelFamily: string;
}

/**
 * The Prompt IR of a request: built as upstream builds it, one block for each block of the request, with the provenance
 * and sensitivity that the program found, the tokens of the view, and images as image blocks.
 */
export function requestIr(sources: readonly IrSource[], identity: IrIdentity, hashText?: HashText): PromptIR {
  const inSequence = [...sources].sort((first, second) => first.sequenceIndex - second.sequenceIndex);
  const ir = buildPromptIr(annotatedRequestOf(inSequence), {
    irId: identity.irId,
    createdAt: identity.createdAt,
    hashText,
    imageBlocks: true,
    classify: block => {
      const source = inSequence[block.sequenceIndex];
      return {
        provenance: source?.block.provenance ?? block.provenance,
        sensitivity: sensitivityLabels[source?.sensitivity ?? 0] ?? 'public',
      };
    },
  });
  return {
    ...ir,
    blocks: ir.blocks.map((block, index) => ({
      ...block,
      tokenMetadata: { modelFamily: identity.modelFamily, tokenCount: inSequence[index]?.tokens ?? 0 },
    })),
  };
}

/** The request in the provider-neutral form, every block a message, a tool or the output schema of its own. */
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
  return block.kind === 'toolSchema'
    ? [{ name: block.toolName ?? '', definition: objectOf(parsed(text)) }]
    : [];
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

/** A system prompt that the developer gave, as OpenAI's role of that name. */
function isDeveloperMessage({ kind, provenance }: TextBlock['block']): boolean {
  return kind === 'systemPrompt' && provenance === 'developer';
}

function parsed(json: string): JsonValue {
  // A damaged file can hold the beginning of a definition.
  const value = parseJson(json);
  return isJsonValue(value) ? value : null;
}

function objectOf(value: JsonValue): JsonValueObject {
  return isRecord(value) ? value : {};
}
