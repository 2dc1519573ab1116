import {
  arrayAt,
  isArray,
  member,
  numberAt,
  objectAt,
  optionalCountAt,
  stringAt,
  timeAt,
} from '../../base/json';
import { schemaBlocks, textBlocksAt } from '../../content/blockFactory';
import type { KnownCalls } from '../../content/knownCalls';
import type { ReadMessage } from '../../wire/generic/blocks';
import { below, eachAt, type Place, sourceOf, textOf } from '../../content/place';
import type { TranscriptBuilder } from '../../content/transcriptBuilder';
import type { RecordedUsage } from '../../model/transcript';
import type { DocumentFormat } from '../../reading/format';
import { addSubagent } from '../common/notes';
import { Thread } from '../common/thread';
import { readUsage, runUsage } from '../../wire/usage';
import { isGrokDocument } from './grokFiles';
import { readGrokItem, userMessage } from './grokItems';
import { type GrokEntry, promptOf, readGrokUpdates, replyOf } from './grokUpdates';

/** Grok Build's session folders; see grokFiles. */
export const grokBuild: DocumentFormat = {
  kind: 'document',
  id: 'grok-build',
  name: 'Grok Build session',
  matches: isGrokDocument,
  read({ value, range }, locate, builder) {
    builder.agentName = 'Grok Build';
    const summary = objectAt(value, 'summary');
    builder.sessionId = stringAt(objectAt(summary, 'info'), 'id');
    builder.workingDirectory = stringAt(objectAt(summary, 'info'), 'cwd');
    const version = numberAt(summary, 'chat_format_version');
    builder.addVersion(version === undefined ? undefined : `session format ${version}`);
    new GrokReader(builder, value, { record: range, locate, path: [] }).read();
    builder.title = stringAt(summary, 'generated_title') ?? builder.firstPrompt;
  },
};

interface Placed {
  readonly value: unknown;
  readonly place: Place;
  readonly time: number;
}

/** The last reply to a prompt, if it is recorded. */
function lastReplyTo(
  prompt: string,
  entries: readonly GrokEntry[],
): Extract<GrokEntry, { kind: 'reply' }> | undefined {
  return entries.filter(entry => entry.kind === 'reply').findLast(entry => entry.prompt === prompt);
}

/**
 * The history file contains the content of the next request. A compaction rewrites this file. Earlier requests are
 * rebuilt from the stream of updates, which has no reminders, so these requests are incomplete. So are those from before
 * the program was last started: their tools are not on record.
 */
class GrokReader {
  private readonly thread: Thread;
  private readonly head: readonly number[];
  /** The time from which on requests were sent with the recorded tools. */
  private toolsSince = Infinity;
  private readonly compactions: Placed[];
  private readonly checkpoints: readonly Placed[];
  /**
   * Usage by the last reply to a prompt. The usage of a prompt's calls is recorded as one sum, which is billed with the
   * last of them if there are several.
   */
  private readonly usages = new Map<GrokEntry, RecordedUsage | undefined>();

  constructor(
    private readonly builder: TranscriptBuilder,
    private readonly document: unknown,
    private readonly root: Place,
  ) {
    const message = builder.addMessage({ role: 'system' });
    const [first] = arrayAt(document, 'grokHistory');
    this.head = builder.addBlocks(
      [
        ...schemaBlocks(member(document, 'tools'), below(root, 'tools')),
        ...textBlocksAt(first, below(root, 'grokHistory', 0), 'content', 'system'),
      ],
      message,
    );
    this.thread = new Thread(builder, 0, () => this.head);
    this.compactions = this.inTime('compactions');
    this.checkpoints = this.inTime('checkpoints');
  }

  read(): void {
    this.addSubagents();
    const entries = readGrokUpdates(this.document, this.root);
    for (const entry of entries) {
      const reply = entry.kind === 'turn' ? lastReplyTo(entry.prompt, entries) : undefined;
      if (entry.kind === 'turn' && reply !== undefined) {
        const usage = readUsage(entry.usage, 'grok');
        const isSum = numberAt(entry.usage, 'modelCalls') !== 1;
        this.usages.set(reply, isSum ? runUsage([{ model: reply.model, usage }]) : usage);
      }
    }
    if (isArray(member(this.document, 'tools'))) {
      this.toolsSince = this.lastStart(entries);
    }
    // After each turn, Grok Build has the model write a line for its dashboard, and sometimes a title (1.0.41).
    const turns = entries.filter(({ kind }) => kind === 'turn').length;
    if (turns > 0) {
      this.builder.addProblem('unrecordedCalls', this.line, turns);
    }
    let epoch = 0;
    let from = 0;
    entries.forEach(({ kind }, index) => {
      if (kind === 'compaction') {
        this.readEpoch(entries.slice(from, index + 1), epoch);
        epoch += 1;
        from = index + 1;
      }
    });
    this.readHistory(entries.slice(from));
    this.addCompactions(Infinity);
  }

  /**
   * Reads the messages before a compaction. Its record has the user's messages as they were sent; without it, they are
   * taken from the updates, which lack the texts that the client added.
   */
  private readEpoch(entries: readonly GrokEntry[], epoch: number): void {
    this.thread.replace([]);
    const left = this.checkpoints[epoch - 1];
    const at = below(this.root, 'segments', epoch);
    const before = arrayAt(arrayAt(this.document, 'segments')[epoch], 'before');
    const isWhole = before.length === entries.filter(({ kind }) => kind === 'reply').length;
    let replies = 0;
    if (!isWhole) {
      this.builder.addProblem('missingRequestContent', this.line);
      eachAt(left?.value, left?.place ?? this.root, 'compacted_history', (item, place, index) => {
        const message = index === 0 ? undefined : readGrokItem(item, place, this.thread.calls);
        if (message !== undefined) {
          this.thread.add(message);
        }
      });
    }
    for (const entry of entries) {
      if (isWhole && entry.kind === 'reply') {
        eachAt({ before: before[replies] }, at, 'before', (text, _, index) => {
          const place = below(at, 'before', replies, index);
          this.thread.add(userMessage(textOf(text, place), place));
        });
        replies += 1;
      }
      if (!isWhole || entry.kind !== 'prompt') {
        this.readEntry(entry, isWhole);
      }
    }
  }

  private readEntry(entry: GrokEntry, isWhole = false): void {
    switch (entry.kind) {
      case 'prompt':
        this.thread.add(promptOf(entry));
        return;
      case 'reply': {
        this.addCompactions(entry.time ?? 0);
        const [reply, ...answers] = replyOf(entry, this.thread.calls);
        if (reply !== undefined) {
          const { model, time: timestamp } = entry;
          const usage = this.usages.get(entry);
          const complete = isWhole && this.hasToolsAt(timestamp);
          this.thread.addReply(reply, { line: this.line, model, timestamp, usage, complete });
          answers.forEach(answer => this.thread.add(answer));
        }
        return;
      }
      case 'turn':
        return;
      case 'compaction': {
        const { tokensBefore, tokensAfter } = entry;
        const made = this.compactions.find(({ value }) => stringAt(value, 'error') === undefined);
        this.addCompactions(made?.time ?? 0);
        this.thread.noteCompaction({ line: this.line, tokensBefore, tokensAfter });
      }
    }
  }

  private readHistory(entries: readonly GrokEntry[]): void {
    this.thread.replace([]);
    const replies = entries.filter(entry => entry.kind === 'reply');
    const items = arrayAt(this.document, 'grokHistory');
    const count = items.filter(item => stringAt(item, 'type') === 'assistant').length;
    let number = replies.length - count;
    let parts: ReadMessage['blocks'] = [];
    eachAt(this.document, this.root, 'grokHistory', (item, place, index) => {
      const { line } = sourceOf(place);
      const message = readGrokItem(item, place, this.thread.calls);
      const type = stringAt(item, 'type');
      if (message === undefined) {
        this.builder.leaveOutUnknown(sourceOf(place), 'an item of an unknown kind');
      } else if (type === 'system' && index === 0) {
        return;
      } else if (message.role !== 'assistant') {
        this.thread.add(message);
      } else if (type === 'assistant') {
        const seen = replies[number];
        number += 1;
        this.addCompactions(seen?.time ?? 0);
        const timestamp = seen?.time;
        this.thread.addReply(
          { ...message, blocks: [...parts, ...message.blocks], timestamp },
          {
            line,
            timestamp,
            model: stringAt(item, 'model_id'),
            usage: seen && this.usages.get(seen),
            complete: this.hasToolsAt(timestamp),
          },
        );
        parts = [];
      } else {
        parts = [...parts, ...message.blocks];
      }
    });
  }

  /** Adds the calls that made summaries before a time. All attempts sent the same content. */
  private addCompactions(time: number): void {
    const { builder } = this;
    for (
      let next = this.compactions[0];
      next !== undefined && next.time <= time;
      next = this.compactions[0]
    ) {
      const { value, place, time: timestamp } = next;
      this.compactions.shift();
      const numbers = [...this.head];
      const calls: KnownCalls = new Map();
      eachAt(value, place, 'chat_history', (item, at, index) => {
        const message = readGrokItem(item, at, calls);
        if (message !== undefined && (index > 0 || message.role !== 'system')) {
          numbers.push(...builder.addBlocks(message.blocks, builder.addMessage(message)));
        }
      });
      const sent = { context: builder.startContext(numbers), length: numbers.length };
      const attempts = arrayAt(value, 'attempt_details');
      Array.from({ length: Math.max(1, attempts.length) }, (_, index) => {
        const own = stringAt(attempts[index], 'summary') !== undefined;
        const blocks = own
          ? textBlocksAt(attempts[index], below(place, 'attempt_details', index), 'summary', 'assistant')
          : textBlocksAt(value, place, 'summary', 'assistant');
        const reply = builder.addBlocks(blocks, builder.addMessage({ role: 'assistant', timestamp }));
        const facts = {
          line: this.line,
          timestamp,
          model: stringAt(value, 'model'),
          complete: this.hasToolsAt(timestamp),
        };
        this.thread.open(facts, reply, sent);
      });
    }
  }

  /** The time of the program's last start. An older version does not record it: then the time of the last prompt. */
  private lastStart(entries: readonly GrokEntry[]): number {
    const prompt = entries.findLastIndex(({ kind }) => kind === 'prompt');
    const reply = entries.slice(prompt + 1).find(entry => entry.kind === 'reply');
    const start = timeAt(member(this.document, 'promptContext'), 'build_timestamp_utc');
    return start ?? reply?.time ?? Infinity;
  }

  private hasToolsAt(time: number | undefined): boolean {
    return (time ?? 0) >= this.toolsSince;
  }

  /** A subagent is a session of its own in the folder next to this one. */
  private addSubagents(): void {
    for (const record of arrayAt(this.document, 'updates')) {
      const update = objectAt(objectAt(record, 'params'), 'update');
      const kind = stringAt(update, 'sessionUpdate');
      const id = stringAt(update, 'child_session_id');
      if (id !== undefined && (kind === 'subagent_spawned' || kind === 'subagent_finished')) {
        const description = stringAt(update, 'description') ?? stringAt(update, 'subagent_type');
        addSubagent(this.builder, { id, description, totalTokens: optionalCountAt(update, 'tokens_used') });
      }
    }
  }

  private inTime(key: string): Placed[] {
    const found: Placed[] = [];
    eachAt(this.document, this.root, key, (value, place) => {
      found.push({ value, place, time: timeAt(value, 'created_at') ?? 0 });
    });
    return found.sort((first, second) => first.time - second.time);
  }

  private get line(): number {
    return sourceOf(this.root).line;
  }
}
