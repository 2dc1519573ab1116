/** A word of a command, without its quotes and escapes. */
export interface ShellWord {
  readonly value: string;
  /** The offset of each UTF-16 unit of the value in the text, and the end of the last one. */
  readonly offsets: readonly number[];
  /** True if a shell computes a part of it: `$NAME`, `${…}`, `$(…)`, backticks. */
  readonly isComputed: boolean;
}

/** Of a command, in UTF-16 units. */
export const longestCommand = 1200;
const mostWords = 80;
const longestQuoted = 600;

const backslash = 0x5c;
/** Characters that end a command outside of quotes. */
const endings = new Set(Array.from(';|&)`', character => character.charCodeAt(0)));
/** A quote before one of these, or before a blank, is the closing quote of a text that contains the command. */
const behindClosing = new Set(Array.from(',)]};:', character => character.charCodeAt(0)));

function isQuote(code: number): boolean {
  return code === 0x22 || code === 0x27;
}

function isBlank(code: number): boolean {
  return code === 32 || code === 9;
}

function isLineBreak(code: number): boolean {
  return code === 10 || code === 13;
}

/** Number of backslashes at a place. */
function backslashesAt(text: string, at: number): number {
  let end = at;
  while (text.charCodeAt(end) === backslash) {
    end += 1;
  }
  return end - at;
}

/** A variable as people name them, and not part of a generated password. */
const variable =
  /\$(?:[A-Z_][A-Z\d_]*(?![A-Za-z\d])|[a-z_]+\d?(?![A-Za-z\d])|[a-z]+(?:[A-Z][a-z]+)+(?![A-Za-z\d])|[{(]|env:)/y;

/** Reads the words of one command. A quote may have backslashes, if the command is in a string of JSON. */
class CommandReader {
  readonly words: ShellWord[] = [];
  private readonly end: number;
  private at: number;
  private value = '';
  private offsets: number[] = [];
  private wordEnd = 0;
  private isWord = false;
  private isComputed = false;
  /** The next word is a file that is read or written. */
  private isFile = false;

  constructor(
    private readonly text: string,
    start: number,
  ) {
    this.at = start;
    this.end = Math.min(text.length, start + longestCommand);
  }

  read(): readonly ShellWord[] {
    // The quote before the command's name, with its backslashes, ends the text with the command.
    const outer = quoteBefore(this.text, this.at);
    const nameEnd = outer === '' ? -1 : this.text.indexOf(outer, this.at);
    if (nameEnd > 0 && nameEnd - this.at < 80 && !/\s/.test(this.text.slice(this.at, nameEnd))) {
      this.readList(outer);
    } else {
      this.readLine(outer);
    }
    return this.words;
  }

  /** Reads items in quotes with commas between them. */
  private readList(quote: string): void {
    this.at -= quote.length;
    while (this.words.length < mostWords && this.text.startsWith(quote, this.at)) {
      this.isWord = true;
      if (!this.readQuoted(quote)) {
        return;
      }
      this.finishWord();
      const between = /(?:\s|\\{1,16}[nrt]){0,40},(?:\s|\\{1,16}[nrt]){0,40}/y;
      between.lastIndex = this.at;
      const length = between.exec(this.text)?.[0].length ?? 0;
      if (length === 0) {
        return;
      }
      this.at += length;
    }
  }

  private readLine(outer: string): void {
    const { text } = this;
    while (this.at < this.end && this.words.length < mostWords) {
      const code = text.charCodeAt(this.at);
      if (isBlank(code)) {
        this.finishWord();
        this.at += 1;
      } else if (isLineBreak(code) || (code !== 0x60 && endings.has(code))) {
        break;
      } else if (code === 0x60) {
        break;
      } else if (code === 0x3c || code === 0x3e) {
        // A number before the sign is the one of a stream.
        this.isWord &&= !/^\d$/.test(this.value);
        this.finishWord();
        this.isFile = true;
        this.at += 1;
      } else if (code === backslash || isQuote(code)) {
        if (!this.readEscapeOrQuote(outer)) {
          break;
        }
      } else if (code === 0x24) {
        this.readDollar();
      } else {
        this.add(this.at);
        this.at += 1;
      }
    }
    this.finishWord();
  }

  /** Returns false at the end of the command. */
  private readEscapeOrQuote(outer: string): boolean {
    const { text } = this;
    const count = backslashesAt(text, this.at);
    const code = text.charCodeAt(this.at + count);
    if (isQuote(code)) {
      return this.readQuoteOf(text.slice(this.at, this.at + count + 1), outer);
    }
    // A path of Windows.
    if (/^[A-Za-z]:/.test(this.value) || Number.isNaN(code)) {
      this.at += count;
      return true;
    }
    if (isLineBreak(code)) {
      this.finishWord();
      this.at += count + (text.startsWith('\r\n', this.at + count) ? 2 : 1);
      return true;
    }
    if (code === 0x6e || code === 0x72 || code === 0x74) {
      // In a string of JSON, a line break has one, two, four, eight backslashes; with one that continues the line, three times as many.
      const goesOn = count % 3 === 0 || code === 0x74;
      if (goesOn || (count & (count - 1)) === 0) {
        this.finishWord();
        this.at += count + 1;
        return goesOn;
      }
    }
    this.add(this.at + count);
    this.at += count + 1;
    return true;
  }

  private readQuoteOf(quote: string, outer: string): boolean {
    const { text } = this;
    const next = text.charCodeAt(this.at + quote.length);
    const isEnd = Number.isNaN(next) || isBlank(next) || isLineBreak(next) || behindClosing.has(next);
    if (quote === outer || (isEnd && this.isWord)) {
      return false;
    }
    const mayOpen = !isEnd || !this.isWord;
    if (mayOpen && this.readQuoted(quote)) {
      return true;
    }
    // A quote without a partner: the text is cut off, or it ends the text with the command.
    if (this.isWord) {
      return false;
    }
    this.isWord = true;
    this.at += quote.length;
    return true;
  }

  /** Reads a quoted part from its opening quote on. Returns false if it has no closing quote. */
  private readQuoted(quote: string): boolean {
    const { text } = this;
    const from = this.at + quote.length;
    const close = closingQuote(text, from, quote);
    if (close < 0) {
      return false;
    }
    this.isWord = true;
    const isLiteral = quote.endsWith("'");
    for (this.at = from; this.at < close;) {
      if (!isLiteral && text.charCodeAt(this.at) === 0x24) {
        this.readDollar();
      } else {
        const count = isLiteral ? 0 : backslashesAt(text, this.at);
        const isEscape =
          count > 0 && this.at + count < close && /["$`\\!]/.test(text.charAt(this.at + count));
        this.at += isEscape ? count : 0;
        this.isComputed ||= !isLiteral && !isEscape && text.charCodeAt(this.at) === 0x60;
        this.add(this.at);
        this.at += 1;
      }
    }
    this.at = close + quote.length;
    return true;
  }

  private readDollar(): void {
    const { text } = this;
    // `$'…'` is a quoted text.
    if (isQuote(text.charCodeAt(this.at + 1)) && !this.isWord) {
      this.at += 1;
      return;
    }
    variable.lastIndex = this.at;
    const found = variable.exec(text)?.[0];
    if (found === undefined) {
      this.add(this.at);
      this.at += 1;
      return;
    }
    this.isComputed = true;
    this.isWord = true;
    const closing = found.endsWith('(') ? ')' : found.endsWith('{') ? '}' : '';
    const close = closing === '' ? -1 : text.slice(0, this.at + 200).indexOf(closing, this.at);
    const last = close < 0 ? this.at + found.length : close + 1;
    for (; this.at < last; this.at += 1) {
      this.add(this.at);
    }
  }

  private add(place: number): void {
    this.isWord = true;
    this.value += this.text.charAt(place);
    this.offsets.push(place);
    this.wordEnd = place + 1;
  }

  private finishWord(): void {
    if (this.isWord && !this.isFile) {
      this.words.push({
        value: this.value,
        offsets: [...this.offsets, this.wordEnd],
        isComputed: this.isComputed,
      });
    }
    this.isFile &&= !this.isWord;
    this.value = '';
    this.offsets = [];
    this.isWord = false;
    this.isComputed = false;
  }
}

/** The quote directly before a place, with its backslashes. */
function quoteBefore(text: string, at: number): string {
  if (!isQuote(text.charCodeAt(at - 1))) {
    return '';
  }
  let start = at - 1;
  while (start > 0 && at - start < 64 && text.charCodeAt(start - 1) === backslash) {
    start -= 1;
  }
  return text.slice(start, at);
}

/** The place of the closing quote, with its backslashes; -1 if there is none nearby. */
export function closingQuote(text: string, from: number, quote: string): number {
  const last = Math.min(text.length, from + longestQuoted);
  const mark = quote.charAt(quote.length - 1);
  const isEscapable = mark === '"' || quote.length > 1;
  for (let place = from; place < last; place += 1) {
    if (text[place] === mark) {
      let start = place;
      while (start > from && text.charCodeAt(start - 1) === backslash) {
        start -= 1;
      }
      const count = place - start;
      if (!isEscapable || count === quote.length - 1) {
        return isEscapable ? start : place;
      }
      // Fewer backslashes belong to a text around this one.
      if (count < quote.length - 1) {
        return -1;
      }
    }
  }
  return -1;
}

/** The words of the command that begins at a place, up to its end or the first 1,200 characters. */
export function shellWords(text: string, start: number): readonly ShellWord[] {
  return new CommandReader(text, start).read();
}
