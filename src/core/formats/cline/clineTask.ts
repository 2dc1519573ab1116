import {
  arrayAt,
  isArray,
  isObject,
  member,
  millisecondsAt,
  objectAt,
  stringAt,
  type ValuePath,
} from '../../base/json';
import { mediaBlock, roleOfMessage, toolResultBlock } from '../../content/blockFactory';
import { compactionSummary } from '../../content/classification';
import { derivedValue } from '../../wire/derivedValue';
import { systemBlocks } from '../../wire/anthropic/blocks';
import { readChatMessage } from '../../wire/generic/blocks';
import { answeredCall } from '../../content/knownCalls';
import { below, flatMapAt, partOfText, type Place, sourceOf } from '../../content/place';
import type { NewBlock, TranscriptBuilder } from '../../content/transcriptBuilder';
import type { RecordedUsage } from '../../model/transcript';
import { addSubagent } from '../common/notes';
import { Thread, type ThreadItem } from '../common/thread';
import { readUsage, withCost } from '../../wire/usage';
import { cutClineResults } from './clineResults';

/** A task's messages as they are sent, and the entries that its interface shows. */
export interface TaskFiles {
  readonly messages: readonly unknown[];
  readonly path: ValuePath;
  readonly entries: readonly unknown[];
  readonly entriesPath: ValuePath;
  /** The whole document, for a session of the CLI. */
  readonly session?: unknown;
}

/** An API call as the interface shows it. */
interface ShownRequest {
  readonly time: number;
  readonly usage: RecordedUsage | undefined;
}

/** From `time` on, Cline leaves messages `from` to `to` out of the history. */
interface Deletion {
  readonly time: number;
  readonly from: number;
  readonly to: number;
}

/** An item of the history, with the facts that may hide it from the model. */
interface TaskItem extends ThreadItem {
  /** Index of the item in the file. */
  readonly index: number;
  readonly parents: readonly string[];
}

export class ClineReader {
  private readonly thread: Thread;
  private head: readonly number[] = [];
  private readonly items: TaskItem[] = [];
  private readonly shown: ShownRequest[] = [];
  private readonly deletions: Deletion[] = [];
  private deletion: Deletion | undefined;
  private isCli = false;
  /** The tool named by a text that only announces a result, e.g. `[read_file for 'a.ts'] Result:`; the next text is that result. */
  private announced: string | undefined;

  constructor(
    private readonly builder: TranscriptBuilder,
    /** The place of the document. */
    private readonly root: Place,
  ) {
    this.thread = new Thread(builder, 0, () => this.head);
  }

  read(files: TaskFiles): void {
    this.builder.agentName = files.messages.some(isOfRoo) ? 'Roo Code' : 'Cline';
    this.isCli = files.session !== undefined;
    this.readHead(files.session);
    files.entries.forEach((entry, index) => {
      this.readEntry(entry, below(this.root, ...files.entriesPath, index));
    });
    files.messages.forEach((message, index) => {
      this.readMessage(message, index, below(this.root, ...files.path, index));
    });
    this.builder.title ??= this.builder.firstPrompt;
  }

  private readHead(session: unknown): void {
    this.builder.addVersion(stringAt(objectAt(session, 'origin'), 'version'));
    this.builder.sessionId = stringAt(session, 'sessionId');
    if (stringAt(session, 'system_prompt') !== undefined) {
      const blocks = systemBlocks(member(session, 'system_prompt'), below(this.root, 'system_prompt'));
      this.head = this.builder.addBlocks(blocks, this.builder.addMessage({ role: 'system' }));
    }
  }

  /** Entries of the interface repeat what was sent; only their token counts and deletions are recorded nowhere else. */
  private readEntry(entry: unknown, place: Place): void {
    const time = millisecondsAt(entry, 'ts') ?? 0;
    const kind = stringAt(entry, 'say') ?? stringAt(entry, 'ask') ?? 'message';
    const isRequest = kind === 'api_req_started';
    this.builder.leaveOut(
      isRequest ? 'token counts of a call in the interface' : `${kind} in the interface`,
      sourceOf(place),
    );
    if (isRequest) {
      const shown = derivedValue('json', stringAt(entry, 'text') ?? '');
      this.shown.push({ time, usage: withCost(readUsage(shown, 'clineShown'), member(shown, 'cost')) });
    }
    const [from, to] = arrayAt(entry, 'conversationHistoryDeletedRange');
    const last = this.deletions.at(-1);
    if (typeof from === 'number' && typeof to === 'number' && (last?.from !== from || last.to !== to)) {
      this.deletions.push({ time, from, to });
    }
  }

  private readMessage(message: unknown, index: number, place: Place): void {
    const role = stringAt(message, 'role') === 'assistant' ? 'assistant' : 'user';
    const isSummary = member(message, 'isSummary') === true;
    const timestamp = millisecondsAt(message, 'ts');
    const source = sourceOf(place);
    if (stringAt(message, 'type') === 'reasoning' && stringAt(message, 'role') === undefined) {
      this.builder.leaveOut('encrypted reasoning', source);
      return;
    }
    this.hide(message, isSummary, place);
    const textClass = isSummary ? compactionSummary : undefined;
    const read = readChatMessage(message, place, this.thread.calls, { role, textClass });
    const blocks = read.blocks.flatMap(block => this.asSent(block, message, place));
    const info = {
      role: roleOfMessage(role, blocks),
      blocks,
      id: read.id,
      timestamp,
      summary: isSummary ? true : undefined,
    };
    if (role === 'assistant' && !isSummary) {
      this.applyDeletions(timestamp ?? 0, source.line);
      const model = objectAt(message, 'modelInfo');
      this.thread.addRecorded(info, {
        line: source.line,
        model: stringAt(model, 'modelId') ?? stringAt(model, 'id'),
        usage: this.usageOf(message, timestamp),
      });
    } else {
      this.thread.add(info);
    }
    const parents = ['condenseParent', 'truncationParent'].flatMap(key => stringAt(message, key) ?? []);
    const added = this.thread.items.at(-1);
    if (added !== undefined) {
      this.items.push({ ...added, index, parents });
    }
  }

  /**
   * Notes how Roo hides messages: it keeps condensed or truncated messages and marks them with the id of the summary or
   * marker that replaces them.
   */
  private hide(message: unknown, isSummary: boolean, place: Place): void {
    const isMarker = member(message, 'isTruncationMarker') === true;
    const id = stringAt(message, isSummary ? 'condenseId' : 'truncationId');
    if ((!isSummary && !isMarker) || id === undefined) {
      return;
    }
    this.leaveOut(({ parents }) => parents.includes(id));
    this.thread.noteCompaction({ line: sourceOf(place).line, trigger: isSummary ? undefined : 'truncation' });
  }

  private applyDeletions(time: number, line: number): void {
    const current = this.deletions.findLast(deletion => deletion.time <= time);
    if (current === undefined || current === this.deletion) {
      return;
    }
    this.deletion = current;
    this.leaveOut(({ index }) => index >= current.from && index <= current.to);
    this.thread.noteCompaction({ line, trigger: 'truncation' });
  }

  private leaveOut(isHidden: (item: TaskItem) => boolean): void {
    const hidden = new Set(this.items.filter(isHidden).map(({ blocks }) => blocks));
    this.thread.replace(this.thread.items.filter(({ blocks }) => !hidden.has(blocks)));
  }

  private usageOf(message: unknown, time: number | undefined): RecordedUsage | undefined {
    const shown = this.shown.findLastIndex(request => request.time <= (time ?? Infinity));
    const found = this.shown.splice(0, shown + 1).at(-1)?.usage;
    const metrics = objectAt(message, 'metrics');
    const tokens = objectAt(metrics, 'tokens');
    const recorded =
      tokens === undefined ? readUsage(metrics, 'camelCase') : readUsage(tokens, 'clineTokens');
    return found ?? withCost(recorded, member(metrics, 'cost'));
  }

  /** A block in the form in which it is sent. Texts that hold a tool's result become results. */
  private asSent(block: NewBlock, message: unknown, place: Place): NewBlock[] {
    const { text, content, callId } = block;
    if (block.kind === 'toolCall' && block.toolName === 'spawn_agent' && callId !== undefined) {
      const description = /"task":"([^"]{0,60})/.exec(content)?.[1];
      addSubagent(this.builder, { id: callId, callId, description });
    }
    if (block.kind === 'toolResult' && text.kind === 'json' && this.isCli) {
      const answers = resultContent(message, callId);
      const at = { ...place, path: text.path };
      return isArray(answers) && answers.every(isObject)
        ? [{ ...block, ...cutClineResults(answers, at) }, ...this.images(block, answers, at)]
        : [block];
    }
    if (block.role !== 'user' || text.kind !== 'string' || block.kind === 'image') {
      return [block];
    }
    const input = this.isCli
      ? /^<user_input mode="\w+">(?=[^]*<\/user_input>$)/.exec(content)?.[0]
      : undefined;
    return input === undefined
      ? [this.asResult(block)]
      : [{ ...block, ...partOfText(block, input.length, content.length - '</user_input>'.length) }];
  }

  /** Reads the text that answers a tool called in a text. It begins with `[read_file for 'a.ts'] Result:`. */
  private asResult(block: NewBlock): NewBlock {
    const named = /^\[(\w+)[^\n]*\] Result:\s*/.exec(block.content.slice(0, 2000));
    const toolName = named?.[1] ?? (block.kind === 'prompt' ? this.announced : undefined);
    this.announced = named !== null && named[0].length === block.content.length ? named[1] : undefined;
    if (toolName === undefined || (block.kind !== 'prompt' && named === null)) {
      return block;
    }
    const call = answeredCall(this.thread.calls, undefined, toolName);
    const label = named === null ? block.label : `${toolName} ${block.label.slice(0, 40)}`;
    return { ...toolResultBlock(block, this.root, { callId: undefined, call }), label, source: block.source };
  }

  /** Images among the answers are sent as separate parts. */
  private images({ callId }: NewBlock, answers: readonly unknown[], place: Place): NewBlock[] {
    const result = { callId, call: answeredCall(this.thread.calls, callId) };
    return answers.flatMap((answer, index) =>
      flatMapAt(answer, below(place, index), 'result', (part, at) =>
        stringAt(part, 'type') === 'image' ? (mediaBlock(part, at, 'tool', result) ?? []) : [],
      ),
    );
  }
}

function resultContent(message: unknown, callId: string | undefined): unknown {
  const part = arrayAt(message, 'content').find(
    item => stringAt(item, 'type') === 'tool_result' && stringAt(item, 'tool_use_id') === callId,
  );
  return member(part, 'content');
}

function isOfRoo(message: unknown): boolean {
  return [
    'condenseId',
    'condenseParent',
    'isSummary',
    'truncationId',
    'truncationParent',
    'reasoning_details',
  ].some(key => member(message, key) !== undefined);
}
