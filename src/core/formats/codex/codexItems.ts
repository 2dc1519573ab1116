import { stringAt } from '../../base/json';
import { textBlock, toolResultBlock } from '../../content/blockFactory';
import { compactionSummary } from '../../content/classification';
import { isModelItem, responsesItemBlocks } from '../../wire/openaiResponses/blocks';
import { answeredCall, type KnownCall } from '../../content/knownCalls';
import { literalText, type Place, textAt } from '../../content/place';
import type { NewBlock, TranscriptBuilder } from '../../content/transcriptBuilder';
import type { SourceRange } from '../../model/block';
import type { PromptRole } from '../../model/labels';
import type { HistoryItem } from '../common/history';
import { addSubagent } from '../common/notes';
import { subagentsOf } from './codexThreads';

/** `turn`: a prompt, where a rollback cuts. `update`: context that the client adds before a prompt. */
export interface CodexItem extends HistoryItem {
  readonly part: 'turn' | 'update' | 'base' | 'tools' | 'other';
  /** The id of the call that the item is and that needs an answer, or that it answers. */
  readonly call?: string;
  readonly answer?: string;
  /** True for a summary, also if its text is encrypted. */
  readonly summarises?: boolean;
}

/** The calls that Codex answers itself if nothing is recorded for them (codex-rs, context_manager/normalize.rs). */
const answeredCalls: ReadonlySet<string> = new Set(['function_call', 'custom_tool_call', 'local_shell_call']);
const interrupted = 'aborted';

/** Cuts the items of a Codex session into blocks, and finds the agents that they started. */
export class CodexItems {
  private readonly calls = new Map<string, KnownCall>();

  constructor(private readonly builder: TranscriptBuilder) {}

  add(item: unknown, place: Place, timestamp: number | undefined): CodexItem {
    const { builder, calls } = this;
    const role = roleOfItem(item);
    const message = builder.addMessage({ role, id: stringAt(item, 'id'), timestamp });
    const found = responsesItemBlocks(item, place, calls);
    builder.title ??=
      builder.inheritance === 'elsewhere' ? undefined : found.find(({ kind }) => kind === 'prompt')?.label;
    const blocks = builder.addBlocks(found, message);
    if (blocks.length === 0) {
      builder.leaveOut('an item without content', place.record);
    }
    if (role === 'tool') {
      const callId = stringAt(item, 'call_id');
      if (callId !== undefined) {
        this.addSubagents(callId, subagentsOf(item, calls.get(callId)?.toolName));
      }
    }
    return { blocks, part: partOf(item, role, found), ...pairOf(item, role), ...summaryOf(item, found) };
  }

  /** Adds the answer that Codex sends for a call that was interrupted. */
  addInterrupted(callId: string, record: SourceRange): CodexItem {
    const { builder, calls } = this;
    const facts = { callId, call: answeredCall(calls, callId, undefined), isError: true };
    const block = toolResultBlock(literalText(interrupted), { record, path: [] }, facts);
    const blocks = builder.addBlocks([block], builder.addMessage({ role: 'tool' }));
    return { blocks, part: 'other', answer: callId };
  }

  /** Adds the `message` of a compaction: the summary, if the compaction records no items. */
  addSummary(compaction: unknown, place: Place): CodexItem {
    const message = this.builder.addMessage({ role: 'user', summary: true });
    const found = textAt(compaction, place, 'message');
    const block = textBlock(found, place, 'user', compactionSummary);
    return { blocks: [this.builder.addBlock(block, message)], part: 'other' };
  }

  /** Notes the threads that an event names, if their call is known. */
  addStarted(event: unknown): void {
    const callId = stringAt(event, 'id') ?? stringAt(event, 'call_id');
    if (callId !== undefined && this.calls.has(callId)) {
      this.addSubagents(callId, subagentsOf(event, undefined));
    }
  }

  private addSubagents(callId: string, ids: readonly string[]): void {
    for (const id of ids) {
      if (!this.builder.subagents.has(id)) {
        addSubagent(this.builder, { id, callId, description: this.calls.get(callId)?.object });
      }
    }
  }
}

function summaryOf(item: unknown, blocks: readonly NewBlock[]): Pick<CodexItem, 'summarises'> {
  const isSummary =
    stringAt(item, 'type')?.includes('compaction') === true || blocks.some(({ kind }) => kind === 'summary');
  return isSummary ? { summarises: true } : {};
}

function pairOf(item: unknown, role: PromptRole): Pick<CodexItem, 'call' | 'answer'> {
  const id = stringAt(item, 'call_id');
  if (id === undefined) {
    return {};
  }
  return role === 'tool'
    ? { answer: id }
    : answeredCalls.has(stringAt(item, 'type') ?? '')
      ? { call: id }
      : {};
}

function partOf(item: unknown, role: PromptRole, blocks: readonly NewBlock[]): CodexItem['part'] {
  switch (role) {
    case 'system':
      if (blocks.some(({ kind }) => kind === 'toolSchema')) {
        return 'tools';
      }
      return blocks.some(({ kind, provenance }) => kind === 'systemPrompt' && provenance === 'system')
        ? 'base'
        : 'update';
    case 'user':
      if (blocks.some(({ kind }) => kind === 'prompt' || kind === 'image')) {
        return 'turn';
      }
      return stringAt(item, 'type') === 'message' && !blocks.some(({ kind }) => kind === 'summary')
        ? 'update'
        : 'other';
    case 'assistant':
    case 'tool':
      return 'other';
  }
}

function roleOfItem(item: unknown): PromptRole {
  if (isModelItem(item)) {
    return 'assistant';
  }
  if (stringAt(item, 'type')?.endsWith('_output') === true) {
    return 'tool';
  }
  const role = stringAt(item, 'role');
  return role === 'developer' || role === 'system' ? 'system' : 'user';
}
