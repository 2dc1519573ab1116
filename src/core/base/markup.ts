import { escapeMarkup } from './escapeMarkup';

/** Markup that is safe to insert into a page. Only `markup` and `ownMarkup` make it. */
export class Markup {
  constructor(readonly source: string) {}
}

/** Markup is inserted unchanged, a list item by item, and every other value is escaped. */
type MarkupValue = string | number | Markup | readonly MarkupValue[];

/** A template of markup. Every inserted text is escaped. Attributes must be in double quotes. */
export function markup(strings: TemplateStringsArray, ...values: readonly MarkupValue[]): Markup {
  return new Markup(
    strings.map((piece, index) => (index === 0 ? '' : sourceOf(values[index - 1] ?? '')) + piece).join(''),
  );
}

/** Markup that this program made in another way: a drawing, a style sheet. It must not contain foreign text. */
export function ownMarkup(source: string): Markup {
  return new Markup(source);
}

function sourceOf(value: MarkupValue): string {
  if (value instanceof Markup) {
    return value.source;
  }
  return typeof value === 'object' ? value.map(sourceOf).join('') : escapeMarkup(String(value));
}
