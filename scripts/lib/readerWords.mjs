// The words in the source of the readers: keys of members, kinds of records, roles and other fixed values.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { literalText, parseFile, walk } from './sourceTree.mjs';

export const readerWordsPath = 'src/core/export/twin/readerNames.ts';

const folders = ['src/core/formats', 'src/core/content', 'src/core/wire', 'src/core/reading/decoders'];
/** What writes a request or tells it in another form; readers do not look for its words. */
const writers = /^src\/core\/wire\/(.+\/)?(annotat(ed|ing)|writing)\b/;
/** Fixed values of records that the model lists. */
const files = ['src/core/model/cacheDiagnosis.ts'];
const word = /^[A-Za-z_$][\w.$:/-]*$/;
const lineLength = 110;

function wordsOf(path, words) {
  walk(parseFile(path, readFileSync(path, 'utf8')).program, node => {
    if (node.type === 'ImportDeclaration' || node.type === 'TSLiteralType') {
      return false;
    }
    if (node.type === 'CallExpression' && node.callee.name === 'translate') {
      return false;
    }
    // Kinds of records are listed in one text, with semicolons between them.
    const parts = (literalText(node) ?? '').split(';').map(part => part.trim().replace(/ \*$/, ''));
    parts.filter(part => word.test(part)).forEach(part => words.add(part));
    if (node.type === 'Property' && !node.computed && !node.shorthand && node.key.type === 'Identifier') {
      words.add(node.key.name);
    }
    return true;
  });
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
