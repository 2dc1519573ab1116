import { objectAt, stringAt } from './json';

/** The words of one language, in the form of VS Code's `l10n/bundle.l10n.*.json`. */
export interface Translations {
  /** A BCP 47 tag. It decides the plural forms and the format of counts. */
  readonly language: string;
  /** Translated messages by the English message. */
  readonly messages: Readonly<Record<string, string>>;
}

declare global {
  // Bundles that are loaded on demand have their own copy of this module, so all copies share one global table.
  var contextInspectorTranslations: Translations | undefined;
}

const english: Translations = { language: 'en', messages: {} };

/**
 * Sets the language of all messages. An entry point calls this in its first import, because tables of words are
 * translated when their modules are evaluated. Invalid input leaves the messages in English.
 */
export function setTranslations(value: unknown): void {
  globalThis.contextInspectorTranslations = parseTranslations(value);
}

/** The current translations, to pass on to the worker and the page. */
export function currentTranslations(): Translations {
  return globalThis.contextInspectorTranslations ?? english;
}

/** True for English, which has one fixed format. Other languages are formatted for their regions. */
export function isEnglish(): boolean {
  return /^en\b/i.test(currentTranslations().language);
}

/** The tag by which `Intl` writes numbers. */
export const numberLocale = (): string => (isEnglish() ? 'en-US' : currentTranslations().language);

/** A formatter or rules of the present language, made on first use: the first one of a thread or page costs 20 ms. */
export function perLanguage<Made>(make: () => Made): () => Made {
  let last: { readonly language: string; readonly made: Made } | undefined;
  return () => {
    const { language } = currentTranslations();
    if (last?.language !== language) {
      last = { language, made: make() };
    }
    return last.made;
  };
}

function parseTranslations(value: unknown): Translations {
  const language = stringAt(value, 'language');
  const messages: Record<string, string> = {};
  for (const [message, translation] of Object.entries(objectAt(value, 'messages') ?? {})) {
    if (typeof translation === 'string') {
      messages[message] = translation;
    }
  }
  return language !== undefined && isLanguage(language) ? { language, messages } : english;
}

/** True if `Intl` accepts a tag. It throws for an invalid tag. */
function isLanguage(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length === 1;
  } catch {
    return false;
  }
}

const plurals = perLanguage(() => new Intl.PluralRules(numberLocale()));
const counts = perLanguage(() => new Intl.NumberFormat(numberLocale()));

/** `{0}`, or `{0, plural, one {# block} other {# blocks}}`. */
const placeholder = /\{(\d+)(?:, plural,((?: \w+ \{[^{}]*\})+))?\}/g;
const pluralForm = / (\w+) \{([^{}]*)\}/g;

/**
 * A message in the user's language. The message is the English text itself, always a literal, so that `npm run l10n`
 * can collect it. `{0}` is replaced by the first value, unformatted. `{0, plural, one {# block} other {# blocks}}`
 * picks the form for a number, as in ICU messages, and writes the number with separators for `#`; a value that is
 * already formatted text takes the form `other`. `scripts/l10n.mjs` checks the syntax.
 */
export function translate(message: string, ...values: readonly (string | number)[]): string {
  const { messages } = currentTranslations();
  const text = messages[message] ?? message;
  if (!text.includes('{')) {
    return text;
  }
  return text.replace(placeholder, (whole: string, position: string, forms: string | undefined) => {
    const value = values[Number(position)];
    if (value === undefined) {
      return whole;
    }
    return forms === undefined ? String(value) : pluralOf(value, forms);
  });
}

function pluralOf(value: string | number, forms: string): string {
  const texts = new Map([...forms.matchAll(pluralForm)].map(([, name = '', text = '']) => [name, text]));
  const isNumber = typeof value === 'number';
  const written = isNumber ? counts().format(value) : value;
  const category = isNumber ? plurals().select(value) : 'other';
  return (texts.get(category) ?? texts.get('other') ?? '#').replaceAll('#', () => written);
}
