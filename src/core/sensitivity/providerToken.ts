import { lazy } from '../base/lazy';
import { type AnchoredDetector, matchAt, mayBegin } from './anchored';
import { looksLikeWords } from './letterPairs';
import { isExample } from './placeholder';
import { charactersBehind, literalsOf, tokenForms } from './tokenForms';
import { ruleWords } from './ruleWords';

const message = ruleWords.providerToken;

/** Minimum length of a literal that does not occur in words by chance, in UTF-16 units. */
const shortestDistinctive = 4;

/** Keys and tokens recognised by their form alone. */
export const providerTokens: readonly AnchoredDetector[] = tokenForms.map(tokenRow => {
  const [id, form, , , before = [0]] = tokenRow;
  const literals = literalsOf(tokenRow);
  const isDistinctive = literals.every(({ length }) => length >= shortestDistinctive);
  // Very few of the patterns are ever used. The next part of a tool's name follows two underscores.
  const pattern = lazy(() => new RegExp(`(?:${form})(?![A-Za-z0-9-]|_(?!_))`, 'y'));
  return {
    rule: `providerToken/${id}`,
    label: 'restricted',
    message,
    literals,
    checks: {
      isExact: true,
      beginsWord: before[0] === 0 && literals.every(literal => /^\w/.test(literal)),
      behind: charactersBehind(tokenRow),
    },
    find: (text, at) => {
      for (const characters of before) {
        const start = at - characters;
        if (start < 0 || !isBeginning(text, start, isDistinctive)) {
          continue;
        }
        const token = matchAt(pattern(), text, start)?.[0];
        if (token !== undefined && !isExample(token) && !looksLikeWords(token) && !isInBase64(text, start)) {
          return { start: addressStart(text, start, token), end: start + token.length };
        }
      }
      return undefined;
    },
  };
});

const discordEnd = /[\w-]{27,45}(?![\w-])/y;
const discordBeginning = /(?<![\w.-])[MNO][\w-]{22,27}\.[\w-]{6,7}\.$/;

/** The token of a Discord bot by its form: the number of the bot, a time and a signature. */
export const discordToken: AnchoredDetector = {
  rule: 'providerToken/discord',
  label: 'restricted',
  message,
  literals: [],
  place: 'run',
  precededBy: '.',
  find: (text, at) => {
    const before = discordBeginning.exec(text.slice(Math.max(0, at - 40), at))?.[0];
    const end = before === undefined ? undefined : matchAt(discordEnd, text, at)?.[0];
    const token = (before ?? '') + (end ?? '');
    return before === undefined ||
      end === undefined ||
      !/\d/.test(token) ||
      isExample(token) ||
      looksLikeWords(token)
      ? undefined
      : { start: at - before.length, end: at + end.length };
  },
};

/** True if a token may begin at a place. A distinctive token may also be part of a name, as in `backup-ghp_…`. */
function isBeginning(text: string, at: number, isDistinctive: boolean): boolean {
  return !/\w/.test(text.charAt(at)) || mayBegin(text, at) || (isDistinctive && text.charAt(at - 1) === '-');
}

/** A base64 character that is neither letter nor digit, after a run of base64. */
const base64Before = /(?<run>[A-Za-z0-9+/]{40})[+/]$/;

/** True if a place is inside base64 data, where any few characters occur by chance. */
function isInBase64(text: string, at: number): boolean {
  const run = base64Before.exec(text.slice(Math.max(0, at - 41), at))?.groups?.['run'];
  return run !== undefined && !looksLikeWords(run);
}

/** The start of the address whose host is the token. */
function addressStart(text: string, start: number, token: string): number {
  return token.includes('.com/')
    ? start -
        (/(?:https?:(?:\\{0,64}\/){2})?[\w.-]{0,80}$/.exec(text.slice(Math.max(0, start - 120), start))?.[0]
          .length ?? 0)
    : start;
}
