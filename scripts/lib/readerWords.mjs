// The words in the source of the readers of transcripts: keys of members, kinds of records, roles and other fixed values.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { literalText, parseFile, walk } from './sourceTree.mjs';

const folders = ['src/core/formats', 'src/core/content', 'src/core/wire', 'src/core/reading/decoders'];
/** Code that writes a request or converts it to another form. Readers do not look for its words. */
const writers = /^src\/core\/wire\/(.+\/)?(annotat(ed|ing)|writing)\b/;
/** Fixed values of records that the model lists. */
const files = ['src/core/model/cacheDiagnosis.ts'];
const word = /^[A-Za-z_$][\w.$:/-]*$/;

/** The sources, each with its path and its text. */
export async function readerSources() {
  const found = await Promise.all(
    folders.map(async folder =>
      (await readdir(folder, { recursive: true }))
        .map(path => join(folder, path).replaceAll('\\', '/'))
        .filter(path => path.endsWith('.ts') && !path.endsWith('.d.ts') && !writers.test(path)),
    ),
  );
  const paths = [...found.flat(), ...files].sort();
  return Promise.all(paths.map(async path => ({ path, text: await readFile(path, 'utf8') })));
}

/** The words in sources, sorted and separated by spaces. */
export function readerWords(sources) {
  const words = new Set();
  for (const { path, text } of sources) {
    walk(parseFile(path, text).program, node => {
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
  return [...words].sort().join(' ');
}
