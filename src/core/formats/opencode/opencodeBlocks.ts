import type { SourceRange, TextReference } from '../../model/block';
import {
  classifyReminder,
  classOfText,
  partitionOfTool,
  provenanceOfTool,
  splitReminders,
  type TextClass,
} from '../../content/classification';
import { arrayAt, member, numberAt, objectAt, stringAt, toJson, type ValuePath } from '../../base/json';
import type { PromptRole } from '../../model/labels';
import { parseDataUrl, readImageInfo } from '../../content/imageInfo';
import { labelOfText, objectOfCall, pathOfCall } from '../../content/blockLabels';
import type { NewBlock } from '../../content/transcriptBuilder';

/** The notice that a pruned result is sent as (opencode, session/message-v2.ts). */
export const prunedNotice = '[Old tool result content cleared]';

/** What a message with a compaction part says to the model (opencode, session/message-v2.ts). */
const compactionPrompt = 'What did we do so far?';

/** What stands for a subtask that a person started (opencode, session/message-v2.ts). */
const subtaskPrompt = 'The following tool was executed by the user';

/** The answer to a call whose tool never came to an end (opencode, session/message-v2.ts). */
const interruptedNotice = '[Tool execution was interrupted]';

/** How much of a result the request for a summary holds, in UTF-16 units (opencode, session/compaction.ts). */
export const summarizedOutput = 2000;

/** The part that is turned into blocks. */
export interface PartOwner {
  readonly message: number;
  readonly record: SourceRange;
  /** Leads to the part. */
  readonly path: ValuePath;
  readonly source: SourceRange;
}

/** A block of the conversation, and when and how pruning changes it. */
export interface PartBlock {
  readonly block: NewBlock;
  /** When its output was pruned, in milliseconds since 1970. */
  readonly prunedAt?: number;
  /** What stands there from then on; nothing for an image. */
  readonly notice?: NewBlock;
  /** What the request for a summary holds in its place, where that is less. */
  readonly shortened?: NewBlock;
}

/** The blocks of a part of a user message; the reason why it is none, or `undefined` for an unknown part. */
export function userPartBlocks(part: unknown, owner: PartOwner): readonly NewBlock[] | string | undefined {
  switch (stringAt(part, 'type')) {
    case 'text': {
      const text = stringAt(part, 'text') ?? '';
      if (member(part, 'ignored') === true) {
        return 'text that is shown but not sent';
      }
      return promptBlocks(text, member(part, 'synthetic') === true, owner);
    }
    case 'file': {
      const mime = stringAt(part, 'mime') ?? '';
      return mime === 'text/plain' || mime === 'application/x-directory'
        ? 'attached file, whose text stands in a part of its own'
        : [mediaBlock(part, 'user', owner)];
    }
    case 'compaction':
      return [literalBlock(compactionPrompt, owner)];
    case 'subtask':
      return [literalBlock(subtaskPrompt, owner)];
    case 'agent':
      return 'agent part';
    case undefined:
    default:
      return undefined;
  }
}

function promptBlocks(text: string, synthetic: boolean, owner: PartOwner): readonly NewBlock[] {
  const pieces = splitReminders(text, synthetic ? classifyReminder : piece => classOfText(piece, 'user'));
  return pieces.map(piece => {
    const content = text.slice(piece.start, piece.end);
    const range = pieces.length === 1 ? {} : { start: piece.start, end: piece.end };
    return {
      ...baseOf('user', owner),
      ...piece.class,
      contentType: 'text',
      label: labelOfText(content),
      content,
      text: { kind: 'string', record: owner.record, path: [...owner.path, 'text'], ...range },
    };
  });
}

function literalBlock(text: string, owner: PartOwner): NewBlock {
  return {
    ...baseOf('user', owner),
    contentType: 'text',
    kind: 'injected',
    partition: 'history',
    provenance: 'system',
    label: text,
    content: text,
    text: { kind: 'literal', text },
  };
}

/** A text or reasoning of the model. `textClass` is set where the whole message is a summary. */
export function replyBlock(part: unknown, textClass: TextClass | undefined, owner: PartOwner): NewBlock {
  const content = stringAt(part, 'text') ?? '';
  const isThinking = stringAt(part, 'type') === 'reasoning';
  return {
    ...baseOf('assistant', owner),
    contentType: 'text',
    partition: 'history',
    provenance: 'developer',
    kind: isThinking ? 'thinking' : 'assistant',
    ...(isThinking ? {} : textClass),
    label: isThinking && content === '' ? 'thinking, not recorded' : labelOfText(content),
    content,
    text:
      content === ''
        ? { kind: 'literal', text: '' }
        : { kind: 'string', record: owner.record, path: [...owner.path, 'text'] },
  };
}

export function callBlock(part: unknown, owner: PartOwner): NewBlock {
  const input = member(objectAt(part, 'state'), 'input');
  const path = [...owner.path, 'state', 'input'];
  return {
    ...baseOf('assistant', owner),
    ...toolOf(part),
    contentType: 'text',
    kind: 'toolCall',
    provenance: 'developer',
    partition: partitionOfTool(stringAt(part, 'tool')) === 'state' ? 'state' : 'history',
    content: toJson(input),
    text: { kind: 'json', record: owner.record, path },
  };
}

/** The result of a call and the images in it; none while the tool still runs. */
export function resultBlocks(part: unknown, stillRunning: boolean, owner: PartOwner): readonly PartBlock[] {
  const state = objectAt(part, 'state');
  const status = stringAt(state, 'status');
  if ((status === 'pending' || status === 'running') && stillRunning) {
    return [];
  }
  const { content, text, isError } = resultText(state, status, owner);
  const tool = stringAt(part, 'tool');
  const shared = {
    ...baseOf('tool', owner),
    ...toolOf(part),
    provenance: provenanceOfTool(tool),
    partition: partitionOfTool(tool),
  } as const;
  const block: NewBlock = {
    ...shared,
    contentType: 'tool_result',
    kind: 'toolResult',
    content,
    text,
    ...(isError ? { isError: true } : {}),
  };
  const prunedAt = numberAt(objectAt(state, 'time'), 'compacted');
  const cleared: NewBlock = {
    ...block,
    content: prunedNotice,
    text: { kind: 'literal', text: prunedNotice },
    cleared: true,
  };
  const pruning = prunedAt === undefined || prunedAt === 0 ? {} : { prunedAt };
  const media = arrayAt(state, 'attachments').map((attachment, index): PartBlock => {
    const path = [...owner.path, 'state', 'attachments', index];
    return {
      block: { ...mediaBlock(attachment, 'tool', { ...owner, path }), ...mediaOf(shared) },
      ...pruning,
    };
  });
  return [
    {
      block,
      ...(prunedAt === undefined || prunedAt === 0 ? {} : { prunedAt, notice: cleared }),
      ...(content.length > summarizedOutput && text.kind === 'string'
        ? {
            shortened: {
              ...block,
              content: content.slice(0, summarizedOutput),
              text: { ...text, start: 0, end: summarizedOutput },
            },
          }
        : {}),
    },
    ...media,
  ];
}

function mediaOf({
  provenance,
  partition,
  toolName,
  callId,
}: Pick<NewBlock, 'provenance' | 'partition' | 'toolName' | 'callId'>) {
  return {
    provenance,
    partition,
    ...(toolName === undefined ? {} : { toolName }),
    ...(callId === undefined ? {} : { callId }),
  };
}

function resultText(
  state: unknown,
  status: string | undefined,
  owner: PartOwner,
): { readonly content: string; readonly text: TextReference; readonly isError: boolean } {
  const at = (content: string, ...keys: readonly string[]): { content: string; text: TextReference } =>
    content === ''
      ? { content, text: { kind: 'literal', text: '' } }
      : { content, text: { kind: 'string', record: owner.record, path: [...owner.path, 'state', ...keys] } };
  if (status === 'error') {
    const metadata = objectAt(state, 'metadata');
    const partial = member(metadata, 'interrupted') === true ? stringAt(metadata, 'output') : undefined;
    return partial === undefined
      ? { ...at(stringAt(state, 'error') ?? '', 'error'), isError: true }
      : { ...at(partial, 'metadata', 'output'), isError: true };
  }
  if (status === 'pending' || status === 'running') {
    return {
      content: interruptedNotice,
      text: { kind: 'literal', text: interruptedNotice },
      isError: true,
    };
  }
  return { ...at(stringAt(state, 'output') ?? '', 'output'), isError: false };
}

/** An image, a PDF or another file as a data URL. Without a data URL the address is what there is. */
function mediaBlock(part: unknown, role: PromptRole, owner: PartOwner): NewBlock {
  const url = stringAt(part, 'url') ?? '';
  const dataUrl = parseDataUrl(url);
  const mediaType = stringAt(part, 'mime') ?? dataUrl?.mediaType;
  const start = dataUrl?.start ?? 0;
  const content = url.slice(start);
  const isImage = mediaType?.startsWith('image/') === true;
  const size = isImage ? readImageInfo(content) : undefined;
  return {
    ...baseOf(role, owner),
    contentType: dataUrl === undefined ? 'text' : 'image',
    kind: isImage ? 'image' : 'other',
    provenance: role === 'tool' ? 'tool' : 'user',
    partition: isImage ? 'history' : 'knowledge',
    label:
      size === undefined
        ? (stringAt(part, 'filename') ?? mediaType ?? 'file')
        : `image ${size.width} × ${size.height}`,
    ...(dataUrl === undefined
      ? {}
      : { image: { ...size, ...(mediaType === undefined ? {} : { mediaType }) } }),
    content,
    text: {
      kind: 'string',
      record: owner.record,
      path: [...owner.path, 'url'],
      ...(start === 0 ? {} : { start, end: url.length }),
    },
  };
}

function toolOf(part: unknown): Pick<NewBlock, 'label' | 'toolName' | 'callId' | 'path'> {
  const toolName = stringAt(part, 'tool') ?? 'unknown';
  const input = member(objectAt(part, 'state'), 'input');
  const callId = stringAt(part, 'callID');
  const path = pathOfCall(input);
  return {
    label: `${toolName} ${objectOfCall(input)}`.trim(),
    toolName,
    ...(callId === undefined ? {} : { callId }),
    ...(path === undefined ? {} : { path }),
  };
}

function baseOf(role: PromptRole, owner: PartOwner): Pick<NewBlock, 'role' | 'source' | 'message'> {
  return { role, source: owner.source, message: owner.message };
}
