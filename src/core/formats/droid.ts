import { arrayAt, member, numberAt, objectAt, stringAt, timeAt } from '../base/json';
import { labelOfText } from '../content/blockLabels';
import { compactionSummary } from '../content/classification';
import { anthropicBlocks } from '../content/dialects/anthropic';
import type { KnownCall } from '../content/knownCalls';
import type { TranscriptBuilder } from '../content/transcriptBuilder';
import type { SourceRange } from '../model/block';
import type { LineFormat, LineFormatReader, SourceRecord } from '../reading/format';
import { History, type HistoryItem } from './common/history';
import { listUnpairedResults } from './common/unpairedResults';

/** Factory Droid's sessions, `~/.factory/sessions/<folder>/<id>.jsonl`. Tokens are in a settings file beside them. */
export const droid: LineFormat = {
  kind: 'lines',
  id: 'droid',
  name: 'Factory Droid',
  matches: records =>
    records.some(
      record => stringAt(record, 'type') === 'session_start' && stringAt(record, 'cwd') !== undefined,
    ),
  open: builder => new DroidReader(builder),
};

interface Item extends HistoryItem {
  readonly id: string | undefined;
}

class DroidReader implements LineFormatReader {
  private readonly history: History<Item>;
  private readonly calls = new Map<string, KnownCall>();
  private givenTitle: string | undefined;
  private firstPrompt: string | undefined;

  constructor(private readonly builder: TranscriptBuilder) {
    builder.agentName = 'Factory Droid';
    this.history = new History(builder);
  }

  push({ value, range }: SourceRecord): void {
    const type = stringAt(value, 'type') ?? '';
    switch (type) {
      case 'session_start': {
        this.builder.sessionId ??= stringAt(value, 'id');
        this.builder.workingDirectory ??= stringAt(value, 'cwd');
        const title = stringAt(value, 'sessionTitle') ?? stringAt(value, 'title');
        this.givenTitle ??= title === 'New Session' ? stringAt(value, 'title') : title;
        const version = numberAt(value, 'version');
        if (version !== undefined) {
          this.builder.versions.add(`session format ${version}`);
        }
        this.builder.leaveOut('session_start record', range);
        break;
      }
      case 'message':
        this.readMessage(value, range);
        break;
      case 'compaction_state':
      case 'compaction':
        this.compact(value, range);
        break;
      case '':
        this.builder.addProblem('unknownRecord', range.line);
        this.builder.leaveOut('a record without a type', range);
        break;
      default:
        this.builder.leaveOut(`${type} record`, range);
    }
  }

  finish(): ReturnType<TranscriptBuilder['build']> {
    listUnpairedResults(this.builder);
    this.builder.title = this.givenTitle ?? this.firstPrompt;
    return this.builder.build(droid.id);
  }

  /** What finishing adds is the builder's alone. */
  resume(): boolean {
    return true;
  }

  private readMessage(value: unknown, range: SourceRange): void {
    const message = objectAt(value, 'message');
    const visibility = stringAt(message, 'visibility') ?? stringAt(value, 'visibility') ?? '';
    if (/^(user|ui)/.test(visibility)) {
      this.builder.leaveOut('a message that is shown but not sent', range);
      return;
    }
    const role = stringAt(message, 'role') === 'assistant' ? 'assistant' : 'user';
    const id = stringAt(value, 'id');
    const timestamp = timeAt(value, 'timestamp');
    const isResult = arrayAt(message, 'content').some(part => stringAt(part, 'type') === 'tool_result');
    const number = this.builder.addMessage({
      role: isResult ? 'tool' : role,
      id,
      timestamp,
    });
    const sent = role === 'assistant' ? this.history.sent() : undefined;
    const place = { record: range, path: ['message', 'content'] };
    const read = anthropicBlocks(member(message, 'content'), place, role, this.calls);
    this.firstPrompt ??= read.find(({ kind }) => kind === 'prompt')?.label;
    const blocks = this.builder.addBlocks(read, number);
    if (blocks.length === 0) {
      this.builder.leaveOut('a message without content', range);
    }
    this.history.append({ id, blocks });
    if (sent !== undefined) {
      this.history.open({ line: range.line, model: stringAt(message, 'model'), timestamp }, blocks, sent);
    }
  }

  /** The summary comes in the place of everything up to the anchor. */
  private compact(value: unknown, range: SourceRange): void {
    const text = stringAt(value, 'summaryText') ?? stringAt(value, 'summary') ?? '';
    const key = stringAt(value, 'summaryText') === undefined ? 'summary' : 'summaryText';
    const items = this.history.items;
    const anchor = stringAt(objectAt(value, 'anchorMessage'), 'id');
    const removed = numberAt(value, 'removedCount');
    const at = anchor === undefined ? -1 : items.findIndex(({ id }) => id === anchor);
    const kept = at >= 0 ? items.slice(at + 1) : removed === undefined ? [] : items.slice(removed);
    this.history.noteCompaction({ line: range.line });
    if (text === '') {
      this.builder.leaveOut('a compaction without a summary', range);
      this.history.replace(kept);
      return;
    }
    const block = this.builder.addBlock({
      ...compactionSummary,
      role: 'user',
      contentType: 'text',
      label: labelOfText(text),
      content: text,
      text: { kind: 'string', record: range, path: [key] },
      source: range,
      message: this.builder.addMessage({ role: 'user', summary: true }),
    });
    this.history.replace([{ id: stringAt(value, 'id'), blocks: [block] }, ...kept]);
  }
}
