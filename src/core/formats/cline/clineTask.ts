import {
  type ValuePath,
  arrayAt,
  isArray,
  isObject,
  member,
  numberAt,
  objectAt,
  stringAt,
} from '../../base/json';
import { textBlocks, toolResultBlock } from '../../content/blockFactory';
import { compactionSummary } from '../../content/classification';
import { derivedValue } from '../../content/derivedValue';
import { contentBlocks, readChatMessage } from '../../content/dialects/generic';
import { type Locate, type Place, below, sourceOf, textOf } from '../../content/place';
import type { NewBlock, TranscriptBuilder } from '../../content/transcriptBuilder';
import type { RecordedUsage } from '../../model/transcript';
import type { SourceRecord } from '../../reading/format';
import { addSubagent } from '../common/notes';
import { Thread, type ThreadItem } from '../common/thread';
import { readUsage } from '../common/usage';
import { cutClineResults } from './clineResults';

/** A task's messages as they are sent, and what its interface showed. */
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

/** From a time on, Cline leaves out messages `from` to `to` of the history. */
interface Deletion {
  readonly time: number;
  readonly from: number;
  readonly to: number;
}

/** An item of the history with what hides it from the model. */
interface TaskItem extends ThreadItem {
  /** Its index in the file. */
  readonly index: number;
  readonly parents: readonly string[];
}

export class ClineReader {
  private thread: Thread;
  private readonly items: TaskItem[] = [];
  private readonly shown: ShownRequest[] = [];
  private readonly deletions: Deletion[] = [];
  private deletion: Deletion | undefined;
  private isCli = false;
  /** A text that only names a call, e.g. `[read_file for 'a.ts'] Result:`; the next text is its result. */
  private announced: string | undefined;

  constructor(
    private readonly builder: TranscriptBuilder,
    private readonly record: SourceRecord,
    private readonly locate: Locate,
  ) {
    this.thread = new Thread(builder, 0);
  }

  read(files: TaskFiles): void {
    this.builder.agentName = files.messages.some(isOfRoo) ? 'Roo Code' : 'Cline';
    this.isCli = files.session !== undefined;
    const head = this.readHead(files.session);
    this.thread = new Thread(this.builder, 0, () => head);
    files.entries.forEach((entry, index) => {
      this.readEntry(entry, this.place([...files.entriesPath, index]));
    });
    if (files.messages.length === 0) {
      this.builder.addProblem('missingRequestContent', 1);
    }
    files.messages.forEach((message, index) => {
      this.readMessage(message, index, this.place([...files.path, index]));
    });
    this.builder.title ??= this.builder.firstPrompt;
  }

  private place(path: ValuePath): Place {
    return { record: this.record.range, locate: this.locate, path };
  }

  private readHead(session: unknown): readonly number[] {
    const version = stringAt(objectAt(session, 'origin'), 'version');
    if (version !== undefined) {
      this.builder.versions.add(version);
    }
    this.builder.sessionId = stringAt(session, 'sessionId');
    const prompt = stringAt(session, 'system_prompt');
    if (prompt === undefined) {
      return [];
    }
    const place = this.place(['system_prompt']);
    const message = this.builder.addMessage({ role: 'system' });
    return textBlocks(textOf(prompt, place), place, 'system').map(block =>
      this.builder.addBlock({ ...block, message }),
    );
  }

  /** Entries of the interface repeat what was sent; only the token counts and deletions stand nowhere else. */
  private readEntry(entry: unknown, place: Place): void {
    const time = numberAt(entry, 'ts') ?? 0;
    const kind = stringAt(entry, 'say') ?? stringAt(entry, 'ask') ?? 'message';
    this.builder.leaveOut(
      kind === 'api_req_started' ? 'token counts of a call in the interface' : `${kind} in the interface`,
      sourceOf(place),
    );
    if (kind === 'api_req_started') {
      this.shown.push({
        time,
        usage: readUsage(derivedValue('json', stringAt(entry, 'text') ?? ''), 'clineShown'),
      });
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
    const isReply = role === 'assistant' && !isSummary;
    const time = numberAt(message, 'ts');
    if (stringAt(message, 'type') === 'reasoning' && stringAt(message, 'role') === undefined) {
      this.builder.leaveOut('encrypted reasoning', sourceOf(place));
      return;
    }
    this.hide(message, isSummary, place);
    const { blocks: read } = readChatMessage(message, place, this.thread.calls, {
      role,
      textClass: isSummary ? compactionSummary : undefined,
    });
    const blocks = read.flatMap(block => this.asSent(block, message, place));
    const hasResult = blocks.some(block => block.role === 'tool');
    const info = {
      role: hasResult ? 'tool' : role,
      blocks,
      id: stringAt(message, 'id'),
      timestamp: time,
      summary: isSummary ? true : undefined,
    } as const;
    const parents = ['condenseParent', 'truncationParent'].flatMap(key => stringAt(message, key) ?? []);
    if (isReply) {
      this.applyDeletions(time ?? 0, sourceOf(place).line);
      const model = objectAt(message, 'modelInfo');
      this.thread.addReply(info, {
        id: info.id,
        timestamp: info.timestamp,
        line: sourceOf(place).line,
        model: stringAt(model, 'modelId') ?? stringAt(model, 'id'),
        usage: this.usageOf(message, time),
      });
    } else {
      this.thread.add(info);
    }
    const added = this.thread.items.at(-1);
    if (added !== undefined) {
      this.items.push({ ...added, index, parents });
    }
  }

  /** Roo keeps what it condensed or cut off, marked by the summary or marker that stands for it. */
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
    return (
      found ?? (tokens === undefined ? readUsage(metrics, 'camelCase') : readUsage(tokens, 'clineTokens'))
    );
  }

  /** What becomes of a block on its way to the model, and texts that are results in all but their type. */
  private asSent(block: NewBlock, message: unknown, place: Place): NewBlock[] {
    const { text } = block;
    if (block.kind === 'toolCall' && block.toolName === 'spawn_agent' && block.callId !== undefined) {
      const task = /"task":"([^"]{0,60})/.exec(block.content)?.[1];
      addSubagent(this.builder, { id: block.callId, callId: block.callId, description: task });
    }
    if (block.kind === 'toolResult' && text.kind === 'json' && this.isCli) {
      const at = { ...place, path: text.path };
      const content = resultContent(message, block.callId);
      return isArray(content) && content.every(isObject)
        ? [{ ...block, ...cutClineResults(content, at) }, ...this.images(block, content, at)]
        : [block];
    }
    if (block.role !== 'user' || text.kind !== 'string' || block.kind === 'image') {
      return [block];
    }
    const inner = this.isCli
      ? /^<user_input mode="\w+">([^]*)<\/user_input>$/.exec(block.content)?.[1]
      : undefined;
    if (inner !== undefined) {
      const start = block.content.indexOf('>') + 1;
      return [
        { ...block, content: inner, label: block.label, text: { ...text, start, end: start + inner.length } },
      ];
    }
    return [this.asResult(block)];
  }

  /** `[read_file for 'a.ts'] Result:` and what follows it. Tools that are called in the text answer in the text. */
  private asResult(block: NewBlock): NewBlock {
    const named = /^\[(\w+)[^\n]*\] Result:\s*/.exec(block.content.slice(0, 2000));
    const toolName = named?.[1] ?? (block.kind === 'prompt' ? this.announced : undefined);
    this.announced = named !== null && named[0].length === block.content.length ? named[1] : undefined;
    if (toolName === undefined || (block.kind !== 'prompt' && named === null)) {
      return block;
    }
    const call = { toolName, object: '', path: undefined };
    const { content, text, label } = block;
    const result = toolResultBlock({ content, text }, this.place([]), { callId: undefined, call });
    return {
      ...result,
      label: named === null ? label : `${toolName} ${label.slice(0, 40)}`,
      source: block.source,
    };
  }

  /** Images among the answers are sent by themselves. */
  private images(result: NewBlock, content: unknown, place: Place): NewBlock[] {
    return (isArray(content) ? content : []).flatMap((answer, index) => {
      const at = below(place, index, 'result');
      return arrayAt(answer, 'result').flatMap((part, number) =>
        stringAt(part, 'type') === 'image'
          ? contentBlocks(part, below(at, number), 'tool', this.thread.calls).map(block => ({
              ...block,
              ...(result.callId === undefined ? {} : { callId: result.callId }),
            }))
          : [],
      );
    });
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
