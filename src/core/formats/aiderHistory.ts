import type { SourceRange } from '../model/block';
import { measureText } from '../content/transcriptBuilder';
import type { Decoder } from '../reading/format';

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

/** What a person typed, what the model answered, or what Aider said about it. */
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

  /** Aider ends its own lines with two blanks, which tells them from a model's quotes. */
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
