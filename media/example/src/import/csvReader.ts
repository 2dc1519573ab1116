/** Splits one line of a bank's CSV at the delimiter; fields may be quoted, and a doubled quote is a quote. */
export function splitLine(line: string, delimiter: string): string[] {
  const fields: string[] = [];
  let field = '';
  let isQuoted = false;
  for (let index = 0; index < line.length; index += 1) {
    const character = line.charAt(index);
    if (isQuoted && character === '"' && line.charAt(index + 1) === '"') {
      field += '"';
      index += 1;
    } else if (character === '"') {
      isQuoted = !isQuoted;
    } else if (character === delimiter && !isQuoted) {
      fields.push(field);
      field = '';
    } else {
      field += character;
    }
  }
  return [...fields, field];
}

/** Rows as objects by the names in the first line. Empty lines are left out. */
export function* readCsv(text: string): Generator<Record<string, string>> {
  const [head = '', ...lines] = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  const delimiter = head.split(';').length > head.split(',').length ? ';' : ',';
  const names = splitLine(head, delimiter);
  for (const line of lines) {
    if (line.trim() !== '') {
      const fields = splitLine(line, delimiter);
      yield Object.fromEntries(names.map((name, index) => [name, fields[index] ?? '']));
    }
  }
}
