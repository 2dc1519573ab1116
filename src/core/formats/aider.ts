import { isArray, member, stringAt, valueAt } from '../base/json';
import { textBlocks } from '../content/blockFactory';
import { eachAt, partOfText, type Place, sourceOf, textAt } from '../content/place';
import { measureText } from '../content/transcriptBuilder';
import type { SourceRange } from '../model/block';
import type { Conversation, RecordedUsage } from '../model/transcript';
import type { Decoder, DocumentFormat } from '../reading/format';
import { Thread } from './common/thread';
import { readUsage } from '../wire/usage';

/** Aider's `.aider.chat.history.md`, decoded to a document. The files of the chat and the repository map are not recorded. */
export const aider: DocumentFormat = {
  kind: 'document',
  id: 'aider',
  name: 'Aider chat history',
  matches: document => isArray(member(document, 'aiderSessions')),
  read(record, locate, builder) {
    builder.agentName = 'Aider';
    const found: Conversation[] = [];
    const root = { record: record.range, locate, path: [] };
    eachAt(record.value, root, 'aiderSessions', (session, place) => {
      const before = builder.blocks.length;
      const reader = new SessionReader(new Thread(builder, found.length), session);
      eachAt(session, place, 'entries', (entry, at) => reader.read(entry, at));
      // Many sessions end before the first message.
      if (builder.blocks.length > before) {
        const title = `${stringAt(session, 'started') ?? ''} ${reader.title ?? ''}`;
        found.push({ thread: found.length, title: title.trim() });
        builder.title ??= reader.title;
      }
    });
    if (found.length > 1) {
      builder.conversations.push(...found);
    }
  },
};

/** Commands of Aider that send their argument to the model (Aider, commands.py). */
const asking = /^\/(ask|code|architect|context|help) +(?=\S)/;

class SessionReader {
  title: string | undefined;
  private model: string | undefined;

  constructor(
    private readonly thread: Thread,
    private readonly session: unknown,
  ) {}

  read(entry: unknown, place: Place): void {
    const found = textAt(entry, place, 'text');
    const text = found.content;
    const source = sourceOf(place);
    switch (stringAt(entry, 'kind') ?? 'notice') {
      case 'input': {
        const start = asking.exec(text)?.[0].length ?? 0;
        if (start === 0 && /^[/!]/.test(text)) {
          this.thread.builder.leaveOut('a command to Aider', source);
          return;
        }
        const blocks = textBlocks(partOfText(found, start, text.length) ?? found, place, 'user');
        this.title ??= blocks[0]?.label;
        this.thread.add({ role: 'user', blocks });
        return;
      }
      case 'reply': {
        const blocks = textBlocks(found, place, 'assistant');
        const message = { role: 'assistant', blocks, timestamp: this.started() } as const;
        this.thread.addRecorded(message, { line: source.line, model: this.model });
        return;
      }
      default:
        this.readNotice(text);
        this.thread.builder.leaveOut('a message from Aider itself', source);
    }
  }

  /** The start of the session, for its first reply; the times of the others are not recorded. */
  private started(): number | undefined {
    const time = Date.parse(`${stringAt(this.session, 'started')?.replace(' ', 'T') ?? ''}Z`);
    return Number.isNaN(time) || this.thread.items.length > 1 ? undefined : time;
  }

  private readNotice(text: string): void {
    this.thread.builder.addVersion(/^> Aider v(\S+)/m.exec(text)?.[1]);
    this.model = /^> (?:Main model|Model): (?:\w+\/)?(\S+)/m.exec(text)?.[1] ?? this.model;
    const usage = readAiderUsage(text);
    const { requests } = this.thread.builder;
    const last = requests.at(-1);
    if (usage !== undefined && last?.thread === this.thread.thread && last.usage === undefined) {
      requests[requests.length - 1] = { ...last, usage };
    }
  }
}

/** `Tokens: 12k sent, 3.4k cache hit, 1.2k received`, rounded as Aider prints it; `sent` includes the cache. */
export function readAiderUsage(text: string): RecordedUsage | undefined {
  const line = /^> Tokens: (.*)/m.exec(text)?.[1];
  if (line === undefined) {
    return undefined;
  }
  const counts: Record<string, number> = { sent: 0 };
  for (const [, count = '', scale, name = ''] of line.matchAll(
    /([\d.,]+)(k|M)? (sent|received|cache hit|cache write)/g,
  )) {
    const unit = scale === 'M' ? 1_000_000 : scale === 'k' ? 1000 : 1;
    counts[name] = Math.round(Number(count.replaceAll(',', '')) * unit);
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
    const document = { aiderSessions: sessions };
    return Promise.resolve({
      kind: 'document',
      document,
      locate: path =>
        ranges.get(valueAt(document, path.slice(0, 4))) ??
        ranges.get(valueAt(document, path.slice(0, 2))) ?? { line: 1, offset: 0, length: bytes.length },
    });
  },
};

/** Text typed by a person, a reply of the model, or a message of Aider. */
type EntryKind = 'input' | 'reply' | 'notice';

interface Line {
  readonly text: string;
  readonly range: SourceRange;
}

interface Session {
  readonly started: string;
  readonly entries: { readonly kind: EntryKind; readonly text: string }[];
}

class HistoryReader {
  readonly sessions: Session[] = [];
  /** The range in the file of each session's heading and of each entry. */
  readonly ranges = new Map<unknown, SourceRange>();
  private kind: EntryKind = 'notice';
  private open: Line[] = [];

  push(line: Line): void {
    const started = sessionLine.exec(line.text)?.[1];
    if (started !== undefined) {
      this.finish();
      const session = { started, entries: [] };
      this.sessions.push(session);
      this.ranges.set(session, line.range);
      return;
    }
    const kind = this.kindOf(line.text);
    if (kind !== this.kind) {
      this.finish();
      this.kind = kind;
    }
    this.open.push(line);
  }

  /** Aider ends its own lines with two spaces; a model's quotes have none. */
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
    const lines = this.open.slice(this.open.findIndex(isFilled), this.open.findLastIndex(isFilled) + 1);
    const [first] = lines;
    const last = lines.at(-1);
    const session = this.sessions.at(-1);
    this.open = [];
    if (first === undefined || last === undefined || session === undefined) {
      return;
    }
    const texts = lines.map(({ text }) => (this.kind === 'input' ? text.slice(5).trimEnd() : text));
    const entry = { kind: this.kind, text: texts.join('\n') };
    session.entries.push(entry);
    const { line, offset } = first.range;
    this.ranges.set(entry, { line, offset, length: last.range.offset + last.range.length - offset });
  }
}

function isFilled({ text }: Line): boolean {
  return text.trim() !== '';
}

function* linesOf(text: string): Generator<Line> {
  let offset = 0;
  let line = 1;
  for (let from = 0; from < text.length; line += 1) {
    const end = text.indexOf('\n', from);
    const next = end < 0 ? text.length : end + 1;
    const whole = text.slice(from, next);
    const length = measureText(whole).bytes;
    yield { text: whole.replace(/\r?\n$/, ''), range: { line, offset, length } };
    offset += length;
    from = next;
  }
}
