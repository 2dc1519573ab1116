import { arrayAt, isArray, member, stringAt } from '../base/json';
import { textBlocks } from '../content/blockFactory';
import { type Place, below, sourceOf, textOf } from '../content/place';
import { type TranscriptBuilder, measureText } from '../content/transcriptBuilder';
import type { SourceRange } from '../model/block';
import type { RecordedUsage } from '../model/transcript';
import type { Decoder, DocumentFormat } from '../reading/format';
import { Thread } from './common/thread';
import { readUsage } from './common/usage';

/**
 * Aider's `.aider.chat.history.md`, in the form of the document that its decoder makes. The files in the chat and the
 * repository map are not recorded.
 */
export const aider: DocumentFormat = {
  kind: 'document',
  id: 'aider',
  name: 'Aider chat history',
  matches: document => isArray(member(document, 'aiderSessions')),
  read(record, locate, builder) {
    builder.agentName = 'Aider';
    const found: { readonly thread: number; readonly title: string }[] = [];
    arrayAt(record.value, 'aiderSessions').forEach((session, number) => {
      const before = builder.blocks.length;
      const reader = new SessionReader(builder, found.length, session);
      arrayAt(session, 'entries').forEach((entry, index) => {
        const path = ['aiderSessions', number, 'entries', index];
        reader.read(entry, { record: record.range, locate, path });
      });
      // Many sessions are closed before anything is said.
      if (builder.blocks.length > before) {
        const title = `${stringAt(session, 'started') ?? ''} ${reader.title ?? ''}`;
        found.push({ thread: found.length, title: title.trim() });
        builder.title ??= reader.title;
      }
    });
    if (found.length > 1) {
      builder.conversations.push(...found);
    }
    return builder.build(aider.id);
  },
};

/** Commands of Aider that send what follows them to the model (Aider, commands.py). */
const asking = /^\/(ask|code|architect|context|help) +(?=\S)/;

class SessionReader {
  title: string | undefined;
  private readonly thread: Thread;
  private model: string | undefined;

  constructor(
    private readonly builder: TranscriptBuilder,
    thread: number,
    private readonly session: unknown,
  ) {
    this.thread = new Thread(builder, thread);
  }

  read(entry: unknown, place: Place): void {
    const text = stringAt(entry, 'text') ?? '';
    const found = textOf(text, below(place, 'text'));
    const source = sourceOf(place);
    switch (stringAt(entry, 'kind')) {
      case 'input': {
        const start = asking.exec(text)?.[0].length ?? 0;
        if (start === 0 && /^[/!]/.test(text)) {
          this.builder.leaveOut('a command to Aider', source);
          return;
        }
        const blocks = textBlocks(found, place, 'user').map(block =>
          start > 0 && block.text.kind === 'string'
            ? { ...block, content: text.slice(start), text: { ...block.text, start, end: text.length } }
            : block,
        );
        this.title ??= blocks[0]?.label;
        this.thread.add({ role: 'user', blocks });
        return;
      }
      case 'reply': {
        const blocks = textBlocks(found, place, 'assistant');
        const message = { role: 'assistant', blocks, timestamp: this.started() } as const;
        this.thread.addReply(message, { timestamp: message.timestamp, line: source.line, model: this.model });
        return;
      }
      case 'notice':
      case undefined:
      default:
        this.readNotice(text);
        this.builder.leaveOut("Aider's own words", source);
    }
  }

  /** Only the first reply can have a time: the session's. */
  private started(): number | undefined {
    const time = Date.parse(`${stringAt(this.session, 'started')?.replace(' ', 'T') ?? ''}Z`);
    return Number.isNaN(time) || this.thread.items.length > 1 ? undefined : time;
  }

  private readNotice(text: string): void {
    const version = /^> Aider v(\S+)/m.exec(text)?.[1];
    if (version !== undefined) {
      this.builder.versions.add(version);
    }
    this.model = /^> (?:Main model|Model): (?:\w+\/)?(\S+)/m.exec(text)?.[1] ?? this.model;
    const usage = readAiderUsage(text);
    const last = this.builder.requests.at(-1);
    if (usage !== undefined && last?.thread === this.thread.thread && last.usage === undefined) {
      this.builder.requests[this.builder.requests.length - 1] = { ...last, usage };
    }
  }
}

/**
 * `Tokens: 12k sent, 3.4k cache hit, 1.2k received`, rounded as Aider prints it; the sent tokens include the cached
 * ones.
 */
export function readAiderUsage(text: string): RecordedUsage | undefined {
  const line = /^> Tokens: (.*)/m.exec(text)?.[1];
  if (line === undefined) {
    return undefined;
  }
  const counts: Record<string, number> = { sent: 0 };
  for (const [, count = '', scale, name = ''] of line.matchAll(
    /([\d.,]+)(k|M)? (sent|received|cache hit|cache write)/g,
  )) {
    counts[name] = Number(count.replaceAll(',', '')) * (scale === 'M' ? 1_000_000 : scale === 'k' ? 1000 : 1);
  }
  return readUsage(counts, 'aider');
}

const sessionLine = /^# aider chat started at (\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)/;

/** Aider's Markdown history as `{aiderSessions: [{started, entries: [{kind, text}]}]}`. */
export const aiderHistory: Decoder = {
  id: 'aider-history',
  matches: head => /^\s*# aider chat started at \d{4}-/.test(new TextDecoder().decode(head.subarray(0, 500))),
  decode: bytes => {
    const reader = new HistoryReader();
    for (const line of linesOf(new TextDecoder().decode(bytes))) {
      reader.push(line);
    }
    reader.finish();
    const { sessions, ranges } = reader;
    return Promise.resolve({
      kind: 'document',
      document: { aiderSessions: sessions },
      locate: path => {
        const [, session, , entry] = path;
        const inSession = typeof session === 'number' ? ranges[session] : undefined;
        const found = typeof entry === 'number' ? inSession?.entries[entry] : inSession?.heading;
        return found ?? { line: 1, offset: 0, length: bytes.length };
      },
    });
  },
};

/** What a person typed, what the model answered, or what Aider reported. */
type EntryKind = 'input' | 'reply' | 'notice';

interface Line {
  readonly text: string;
  /** 1-based. */
  readonly number: number;
  /** In bytes; the length includes the end of the line. */
  readonly offset: number;
  readonly length: number;
}

interface Entry {
  readonly kind: EntryKind;
  readonly text: string;
}

interface Session {
  readonly started: string;
  readonly entries: Entry[];
}

class HistoryReader {
  readonly sessions: Session[] = [];
  readonly ranges: { readonly heading: SourceRange; readonly entries: SourceRange[] }[] = [];
  private kind: EntryKind = 'notice';
  private open: Line[] = [];

  push(line: Line): void {
    const started = sessionLine.exec(line.text)?.[1];
    if (started !== undefined) {
      this.finish();
      this.sessions.push({ started, entries: [] });
      this.ranges.push({ heading: rangeOf([line]), entries: [] });
      return;
    }
    const kind = this.kindOf(line.text);
    if (kind !== this.kind) {
      this.finish();
      this.kind = kind;
    }
    this.open.push(line);
  }

  /** Aider ends its own lines with two blanks, which distinguishes them from a model's quotes. */
  private kindOf(text: string): EntryKind {
    if (/^####( |$)/.test(text) && (text.startsWith('#### ') || this.kind === 'input')) {
      return 'input';
    }
    if (text.startsWith('>')) {
      return this.kind === 'reply' && !text.endsWith('  ') ? 'reply' : 'notice';
    }
    return text.trim() === '' ? this.kind : 'reply';
  }

  finish(): void {
    const lines = trimmed(this.open);
    this.open = [];
    const session = this.sessions.at(-1);
    if (lines.length === 0 || session === undefined) {
      return;
    }
    const texts = lines.map(({ text }) => (this.kind === 'input' ? text.slice(5).trimEnd() : text));
    session.entries.push({ kind: this.kind, text: texts.join('\n') });
    this.ranges.at(-1)?.entries.push(rangeOf(lines));
  }
}

function trimmed(lines: readonly Line[]): readonly Line[] {
  const first = lines.findIndex(({ text }) => text.trim() !== '');
  const last = lines.findLastIndex(({ text }) => text.trim() !== '');
  return first < 0 ? [] : lines.slice(first, last + 1);
}

function rangeOf(lines: readonly Line[]): SourceRange {
  const [first] = lines;
  const last = lines.at(-1);
  return first === undefined || last === undefined
    ? { line: 1, offset: 0, length: 0 }
    : { line: first.number, offset: first.offset, length: last.offset + last.length - first.offset };
}

function* linesOf(text: string): Generator<Line> {
  let offset = 0;
  let number = 1;
  for (let from = 0; from < text.length; number += 1) {
    const end = text.indexOf('\n', from);
    const next = end < 0 ? text.length : end + 1;
    const whole = text.slice(from, next);
    const length = measureText(whole).bytes;
    yield { text: whole.replace(/\r?\n$/, ''), number, offset, length };
    offset += length;
    from = next;
  }
}
