import { type AnchoredDetector, matchAt, type TextRange } from './anchored';
import { isCredentialValue } from './credentialValue';
import { labelled } from './ruleWords';

/** The name of a column with passwords that people choose. */
const chosenColumn =
  /(?:^|[ _.-]|[a-z](?=P))(?:pass(?:word|wd|phrase|code|wort)?|kennwort|contrase(?:ñ|n)a|senha|clave|pwd|pw)s?$/i;
/** The name of a column with keys. */
const keyColumn =
  /(?:^|[ _.-])(?:secret|token|(?:api|secret|access|private|auth)[-_ ]?(?:access[-_ ]?)?(?:key|token)|credential)s?(?:[-_ ]?value)?$/i;
/** The name of a column with short numbers. */
const codeColumn = /(?:^|[ _.-])(?:pin|cvv2?|cvc2?|otp)(?:[-_ ]?code)?$/i;

/** Lines examined behind a header, and the length of each, in UTF-16 units. */
const mostLines = 40;
const longestLine = 500;
const longestHeader = 240;

type ColumnKind = 'chosen' | 'key' | 'code';

function kindOf(name: string): ColumnKind | undefined {
  return chosenColumn.test(name)
    ? 'chosen'
    : keyColumn.test(name)
      ? 'key'
      : codeColumn.test(name)
        ? 'code'
        : undefined;
}

function isSecret(kind: ColumnKind, value: string): boolean {
  return kind === 'code'
    ? /^\d{3,8}$/.test(value)
    : !/\s/.test(value) && isCredentialValue(value, true, kind === 'chosen');
}

/** A cell without the blanks, quotes and marks around it. */
interface Cell extends TextRange {
  readonly value: string;
}

/** The cells of a line that begins at a place; a comma inside quotes separates nothing. */
function cellsOf(line: string, at: number, separator: string): readonly Cell[] {
  const cells: Cell[] = [];
  const add = (from: number, to: number): void => {
    const written = line.slice(from, to);
    const lead = /^(?:\s|["'`]|\*(?=\*)|(?<=\*)\*)*/.exec(written)?.[0].length ?? 0;
    const value = written.slice(lead).replace(/(?:\s|["'`]|(?<=\*)\*|\*(?=\*))+$/, '');
    cells.push({ value, start: at + from + lead, end: at + from + lead + value.length });
  };
  let from = 0;
  let isQuoted = false;
  for (let place = 0; place < line.length; place += 1) {
    const character = line.charAt(place);
    if (character === '"' && separator !== '|') {
      isQuoted = !isQuoted;
    } else if (character === separator && !isQuoted) {
      add(from, place);
      from = place + 1;
    }
  }
  add(from, line.length);
  return cells;
}

const ruler = /^[\s|+:=-]*[-=]{2}[\s|+:=-]*$/;
const columnName = /^[\w .()/#-]{0,32}$/;
/** The text behind a column's name, up to the next column. */
const nameEnd = /\w{3,10}(?: key)?["'`*]{0,3}[ \t]{0,24}(?:[|,;\t\r\n]|$)/y;

const lineBreak = /\r?\n|\\{1,16}n/;

/** The end of the line, and the beginning of the next one. A line break may be escaped. */
function lineEndOf(text: string, from: number): readonly [end: number, next: number] {
  const part = text.slice(from, from + longestLine);
  const match = lineBreak.exec(part);
  const end = from + (match?.index ?? part.length);
  return [end, end + (match?.[0].length ?? 0)];
}

function separatorOf(header: string): string | undefined {
  return ['|', '\t', ';', ','].find(separator => header.includes(separator));
}

/** The values below the name of a column that is at a place. */
function findColumn(text: string, at: number): readonly TextRange[] | undefined {
  if (matchAt(nameEnd, text, at) === null) {
    return undefined;
  }
  const before = text.slice(Math.max(0, at - longestHeader), at);
  const broken = /^[\s\S]*(?:\n|\\{1,16}n)/.exec(before)?.[0].length;
  if (broken === undefined && before.length < at) {
    return undefined;
  }
  const start = at - before.length + (broken ?? 0);
  let [end, next] = lineEndOf(text, at);
  const header = text.slice(start, end);
  const separator = separatorOf(header);
  if (separator === undefined || header.length > longestHeader * 2) {
    return undefined;
  }
  // A list in code looks similar.
  if (separator === ',' && /'|, |,\s*$|^\s/.test(header)) {
    return undefined;
  }
  const names = cellsOf(header, start, separator);
  if (
    names.length < 2 ||
    // Before the first bar, there may be the beginning of a text in JSON.
    !names
      .slice(separator === '|' ? 1 : 0)
      .every(({ value }) => columnName.test(value) && value.split(' ').length <= 3)
  ) {
    return undefined;
  }
  const found: TextRange[] = [];
  let hasRuler = separator !== '|';
  for (let line = 0; line < mostLines && next > end; line += 1) {
    const begin = next;
    [end, next] = lineEndOf(text, begin);
    const row = text.slice(begin, end);
    if (ruler.test(row)) {
      hasRuler = true;
      continue;
    }
    const cells = cellsOf(row, begin, separator);
    if (!hasRuler || cells.length !== names.length) {
      break;
    }
    for (const [number, { value }] of names.entries()) {
      const kind = kindOf(value);
      const cell = cells[number];
      if (kind !== undefined && cell !== undefined && isSecret(kind, cell.value)) {
        found.push({ start: cell.start, end: cell.end });
      }
    }
  }
  return found.length === 0 ? undefined : found;
}

const credential = labelled('credentialAssignment', 'restricted');

const columns =
  'password passwd passphrase passcode passwort kennwort pwd secret token api_key apikey api|key access_key access|key cvv cvc pin otp'
    .split(' ')
    .map(name => name.replace('|', ' '));
/** The text between the name of a column and the next column. */
const separations = ['|', ' |', '*', ',', ';', '\t', '\n', ' \n', '\r'];
/** These are also frequent words. */
const frequentColumns = /^(?:token|secret|pin|otp|cv[vc]|pass(?:phrase|code))$/;

/** Passwords in the columns of tables: Markdown, CSV, the output of databases. */
export const columnSecret: AnchoredDetector = {
  ...credential,
  literals: columns.flatMap(name => [
    ...separations
      .slice(0, frequentColumns.test(name) ? 2 : separations.length)
      .map(separation => name + separation),
    ...(name.startsWith('passw') ? [`${name}  `] : []),
  ]),
  find: findColumn,
};

const blank = String.raw`(?:\s|\\{1,16}[nrt])`;
const insertion = new RegExp(
  `(?:insert|replace)${blank}{1,8}(?:ignore${blank}{1,8})?into${blank}{1,8}[\\w."\`\\[\\]\\\\-]{1,80}${blank}{0,8}\\((?<columns>[^()]{1,600})\\)${blank}{0,8}(?:output[^()]{1,80})?values${blank}{0,8}`,
  'iy',
);
const mostRows = 40;
const longestItem = 400;
/** An item of a row: texts, numbers and calls. */
const item =
  /(?:[^'(),]|'(?:[^'\\]|''|\\.){0,300}'|\((?:[^'()]|'(?:[^'\\]|''|\\.){0,300}'){0,200}\)){1,400}/y;
const quotedText = /'(?<value>(?:[^'\\]|''|\\.){4,300})'/d;

/** The passwords among the values of `INSERT INTO users (name, password) VALUES (…)`. */
export const insertedSecret: AnchoredDetector = {
  ...credential,
  literals: ['insert into', 'insert ignore into', 'replace into'],
  find: (text, at) => {
    const match = matchAt(insertion, text, at);
    const columns = match?.groups?.['columns']?.split(',') ?? [];
    const kinds = columns.map(column => kindOf(column.replace(/["'`[\]\\\s]/g, '')));
    if (match === null || kinds.every(kind => kind === undefined)) {
      return undefined;
    }
    const found: TextRange[] = [];
    let place = at + match[0].length;
    for (let row = 0; row < mostRows && text[place] === '('; row += 1) {
      place += 1;
      for (let column = 0; column < columns.length; column += 1) {
        const written = matchAt(item, text, place)?.[0].slice(0, longestItem);
        const kind = kinds[column];
        if (written === undefined) {
          break;
        }
        const [from, to] = quotedText.exec(written)?.indices?.groups?.['value'] ?? [0, 0];
        if (kind !== undefined && to > 0 && isSecret(kind, written.slice(from, to))) {
          found.push({ start: place + from, end: place + to });
        }
        place += written.length + (text[place + written.length] === ',' ? 1 : 0);
      }
      const between = matchAt(new RegExp(`\\)${blank}{0,8},${blank}{0,8}`, 'y'), text, place);
      if (between === null) {
        break;
      }
      place += between[0].length;
    }
    return found.length === 0 ? undefined : found;
  },
};

const copied = /copy\s{1,8}[\w."]{1,80}\s{0,8}\((?<columns>[^()]{1,600})\)\s{0,8}$/i;

/** The passwords in the rows of a dump of PostgreSQL: `COPY users (name, password) FROM stdin`. */
export const copiedSecret: AnchoredDetector = {
  ...credential,
  literals: ['from stdin;', 'from stdin '],
  find: (text, at) => {
    const columns =
      copied.exec(text.slice(Math.max(0, at - longestLine), at))?.groups?.['columns']?.split(',') ?? [];
    const kinds = columns.map(column => kindOf(column.replace(/["\s]/g, '')));
    const found: TextRange[] = [];
    let [end, next] = lineEndOf(text, at);
    for (let row = 0; row < mostRows && next > end && kinds.some(kind => kind !== undefined); row += 1) {
      const begin = next;
      [end, next] = lineEndOf(text, begin);
      const cells = cellsOf(text.slice(begin, end), begin, '\t');
      if (cells.length !== kinds.length) {
        break;
      }
      for (const [column, { value, start, end: last }] of cells.entries()) {
        const kind = kinds[column];
        if (kind !== undefined && isSecret(kind, value)) {
          found.push({ start, end: last });
        }
      }
    }
    return found.length === 0 ? undefined : found;
  },
};
