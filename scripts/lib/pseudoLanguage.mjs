// A language in which every letter of a message has an accent. What is still plain English in it goes through no translation.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The tag that Windows gave such languages; VS Code and `Intl` take it. */
export const pseudoLanguage = 'qps-ploc';

const plain = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';
const accented = [...'áƀćđéƒǵĥíĵķĺɱńóƥǫŕśťúṽŵẋýžÁƁĆĐÉƑǴĤÍĴĶĹḾŃÓƤǪŔŚŤÚṼŴẊÝŽ'];
const accentOn = text => text.replace(/[a-z]/gi, letter => accented[plain.indexOf(letter)]);

/** What stays as it is: names of placeholders and plural forms, commands and settings in links, and icons. */
const kept = /\{\d+(?:, plural,)?|[ }]\w+ \{|\]\([^)]*\)|`#[^`]*#`|\$\([^)]*\)/g;

/** A message with accents on all letters that a person reads. */
export function pseudo(text) {
  let end = 0;
  let written = '';
  for (const { 0: part, index } of text.matchAll(kept)) {
    written += accentOn(text.slice(end, index)) + part;
    end = index + part.length;
  }
  return written + accentOn(text.slice(end));
}

const bundles = [
  ['l10n/bundle.l10n.json', `l10n/bundle.l10n.${pseudoLanguage}.json`],
  ['package.nls.json', `package.nls.${pseudoLanguage}.json`],
];

/** Writes the pseudo-language's bundles into the extension, which is installed in `folder`. */
export function writePseudoLanguage(folder) {
  const name = readdirSync(folder).find(each => each.startsWith('context-inspector.'));
  const extension = join(folder, name);
  for (const [source, target] of bundles) {
    const english = Object.entries(JSON.parse(readFileSync(join(extension, source), 'utf8')));
    const texts = Object.fromEntries(english.map(([key, text]) => [key, pseudo(text)]));
    writeFileSync(join(extension, target), JSON.stringify(texts));
  }
}
