// A language in which every letter of a message has an accent. Any plain English left in it is not translated.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The tag that Windows uses for such languages. VS Code and `Intl` accept it. */
export const pseudoLanguage = 'qps-ploc';

const letters = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';
const accented = [...'áƀćđéƒǵĥíĵķĺɱńóƥǫŕśťúṽŵẋýžÁƁĆĐÉƑǴĤÍĴĶĹḾŃÓƤǪŔŚŤÚṼŴẊÝŽ'];
const accentOn = text => text.replace(/[a-z]/gi, letter => accented[letters.indexOf(letter)]);

/** The parts to keep: values, targets of links, names of settings, and icons. */
const kept = /\{\d+\}|\]\([^)]*\)|`#[^`]*#`|\$\([^)]*\)/g;
const plural = /(\{\d+, plural,)((?: \w+ \{[^{}]*\})+)\}/g;
const pluralForm = /( \w+ \{)([^{}]*)\}/g;

/** A text with `write` applied between the matches of a pattern, and `keep` applied to the matches. */
function between(text, pattern, write, keep = ([match]) => match) {
  let end = 0;
  let written = '';
  for (const match of text.matchAll(pattern)) {
    written += write(text.slice(end, match.index)) + keep(match);
    end = match.index + match[0].length;
  }
  return written + write(text.slice(end));
}

/** A message with accents on all letters that a person reads. */
export function pseudo(message) {
  const plain = text => between(text, kept, accentOn);
  return between(
    message,
    plural,
    plain,
    ([, start, forms]) =>
      `${start}${forms.replace(pluralForm, (_, name, text) => `${name}${accentOn(text)}}`)}}`,
  );
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
