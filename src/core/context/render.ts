import { countCodePoints } from '../base/unicodeText';
import {
  type ContentPart,
  type ContextPartitions,
  type Message,
  type Partition,
  userMessage,
} from '../model/contextPartitions';
import type { RenderedContext } from '../model/renderedContext';
import type { ContextTokenEngine } from './charTokenEngine';
import { stateTurn } from './taskStateText';

export interface RenderOptions {
  /** Size of the window in tokens. */
  readonly budget: number;
  readonly engine: ContextTokenEngine;
  /** Number of newest messages that are kept whole, even beyond the budget. */
  readonly preserveRecentMsgs: number;
  /** Length of the history right after the last compaction; 0 before the first. */
  readonly frozenHistoryLen?: number;
  /** Replace the text that accompanied older tool calls by a stub. */
  readonly collapseNarration?: boolean;
  /** Ids of calls whose results are shown as a preview only. */
  readonly collapsedResults?: ReadonlySet<string>;
}

const narrationStub =
  '[earlier narration collapsed; tool call(s) preserved below — current progress is in the TASK STATE block]';
/** Code points below which a stub would save nothing worth a changed prefix. */
const narrationMinimum = 40;
const previewBytes = 160;

/**
 * Lays the partitions out in the slots of a provider's API (deepstrike-core 0.2.34, context/renderer.rs). The system
 * slots are taken from the budget first, then history, newest first, as long as it fits. A message that does not fit is
 * dropped, never cut, because a cut that depends on the remaining budget would change the cached prefix with every request.
 */
export function renderContext(partitions: ContextPartitions, options: RenderOptions): RenderedContext {
  const systemStable = joinedText(partitions.system);
  const systemKnowledge = joinedText(partitions.knowledge);
  const systemText = [systemStable, systemKnowledge].filter(text => text !== '').join('\n\n');
  const remaining = Math.max(0, options.budget - options.engine.count(systemText));

  const turns = withLeadingUserTurn(fittingHistory(partitions.history.messages, remaining, options));
  const state = stateTurn(partitions);
  const frozenPrefixLen = frozenTurns(partitions.history.length, turns.length, options.frozenHistoryLen ?? 0);
  return {
    systemText,
    systemStable,
    systemKnowledge,
    turns,
    ...(state && { stateTurn: state }),
    ...(frozenPrefixLen !== undefined && { frozenPrefixLen }),
  };
}

/** Only messages whose content is one string have a place in a system slot. */
function joinedText(partition: Partition): string {
  return partition.messages
    .map(message => message.content)
    .filter(content => typeof content === 'string')
    .join('\n\n');
}

function fittingHistory(
  history: readonly Message[],
  budget: number,
  { engine, preserveRecentMsgs, collapseNarration = false, collapsedResults = new Set() }: RenderOptions,
): Message[] {
  const newestFirst: Message[] = [];
  let remaining = budget;
  for (const message of history.toReversed()) {
    const isProtected = newestFirst.length < preserveRecentMsgs;
    const shown =
      previewCollapsedResults(message, collapsedResults) ??
      (collapseNarration && !isProtected ? stubNarration(message) : undefined) ??
      message;
    const tokens = shown.tokenCount ?? engine.countMessage(shown);
    if (tokens === 0) {
      continue;
    }
    if (!isProtected && tokens > remaining) {
      if (remaining > 0 && typeof shown.content !== 'string') {
        newestFirst.push(shown);
      }
      break;
    }
    newestFirst.push(shown);
    remaining = Math.max(0, remaining - tokens);
  }
  return newestFirst.reverse();
}

/** Providers want a conversation to begin with the user. */
function withLeadingUserTurn(turns: Message[]): Message[] {
  const first = turns[0]?.role;
  return first === 'assistant' || first === 'tool' ? [userMessage('[context resumed]'), ...turns] : turns;
}

/** Counted from the end, so that neither an inserted leading turn nor dropped old turns move the boundary. */
function frozenTurns(historyLength: number, turns: number, frozenHistoryLen: number): number | undefined {
  const hot = Math.max(0, historyLength - frozenHistoryLen);
  return frozenHistoryLen > 0 && hot > 0 && hot < turns ? turns - hot : undefined;
}

function stubNarration(message: Message): Message | undefined {
  if (
    message.role !== 'assistant' ||
    message.toolCalls.length === 0 ||
    typeof message.content !== 'string' ||
    message.content === narrationStub ||
    countCodePoints(message.content) < narrationMinimum
  ) {
    return undefined;
  }
  return { role: message.role, content: narrationStub, toolCalls: message.toolCalls };
}

function previewCollapsedResults(message: Message, collapsed: ReadonlySet<string>): Message | undefined {
  if (typeof message.content === 'string') {
    return undefined;
  }
  const isCollapsed = (part: ContentPart) => part.type === 'tool_result' && collapsed.has(part.callId);
  if (!message.content.some(isCollapsed)) {
    return undefined;
  }
  const content = message.content.map(part =>
    part.type === 'tool_result' && isCollapsed(part) ? { ...part, output: preview(part.output) } : part,
  );
  return { role: message.role, content, toolCalls: message.toolCalls };
}

/** The first 160 bytes, moved back to the start of a character, and how many bytes are out of view. */
function preview(output: string): string {
  const bytes = new TextEncoder().encode(output);
  let end = Math.min(previewBytes, bytes.length);
  while (end > 0 && isContinuationByte(bytes[end])) {
    end -= 1;
  }
  const kept = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes.subarray(0, end));
  const dropped = bytes.length - end;
  return `${kept}…\n[collapsed: ${dropped} chars projected out of view; full result retained in history]`;
}

function isContinuationByte(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}
