// The words in the source of the readers: keys of members, kinds of records, roles and other fixed values.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

export const readerWordsPath = 'src/core/export/twin/readerNames.ts';

const folders = ['src/core/formats', 'src/core/content', 'src/core/wire', 'src/core/reading/decoders'];
/** What writes a request or tells it in another form; readers do not look for its words. */
const writers = /^src\/core\/wire\/(.+\/)?(annotat(ed|ing)|writing)\b/;
/** Fixed values of records that the model lists. */
const files = ['src/core/model/cacheDiagnosis.ts'];
const word = /^[A-Za-z_$][\w.$:/-]*$/;
const lineLength = 110;

function wordsOf(path, words) {
  const visit = node => {
    if (ts.isImportDeclaration(node) || ts.isLiteralTypeNode(node)) {
      return;
    }
    if (ts.isCallExpression(node) && node.expression.getText() === 'translate') {
      return;
    }
    if (ts.isStringLiteralLike(node)) {
      // Kinds of records are listed in one text, with semicolons between them.
      const parts = node.text.split(';').map(part => part.trim().replace(/ \*$/, ''));
      parts.filter(part => word.test(part)).forEach(part => words.add(part));
    }
    if (ts.isPropertyAssignment(node) && ts.isIdentifier(node.name)) {
      words.add(node.name.text);
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true));
}

/** The text of the file with the words. */
export function readerWordsFile() {
  const words = new Set();
  for (const folder of folders) {
    for (const path of readdirSync(folder, { recursive: true })) {
      const file = join(folder, path);
      if (file.endsWith('.ts') && !file.endsWith('.d.ts') && !writers.test(file)) {
        wordsOf(file, words);
      }
    }
  }
  files.forEach(path => wordsOf(path, words));
  const lines = [''];
  for (const each of [...words].sort()) {
    const line = lines.at(-1);
    if (line !== '' && line.length + each.length >= lineLength) {
      lines.push(each);
    } else {
      lines[lines.length - 1] = line === '' ? each : `${line} ${each}`;
    }
  }
  return `/**
 * The words that the readers of transcripts look for: keys of members, kinds of records, roles, fixed values. Made by
 * scripts/readerWords.mjs from their source.
 */
export const readerWords = \`
${lines.join('\n')}
\`;
`;
}
