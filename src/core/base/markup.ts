import { escapeMarkup } from './escapeMarkup';

/** Markup that is safe to stand in a page. Only `markup` and `ownMarkup` make it. */
export class Markup {
  constructor(readonly source: string) {}
}

/** Markup stays as it is, a list is written one item after the other, and every other value is escaped. */
type MarkupValue = string | number | Markup | readonly MarkupValue[];

/** A template of markup, in which every text that is put in is escaped. Attributes have to stand in double quotes. */
export function markup(strings: TemplateStringsArray, ...values: readonly MarkupValue[]): Markup {
  return new Markup(
    strings.map((piece, index) => (index === 0 ? '' : sourceOf(values[index - 1] ?? '')) + piece).join(''),
  );
}

/** Markup that this program has made itself in another way: a drawing, a style sheet. Nothing foreign may be in it. */
export function ownMarkup(source: string): Markup {
  return new Markup(source);
}

function sourceOf(value: MarkupValue): string {
  if (value instanceof Markup) {
    return value.source;
  }
  return typeof value === 'object' ? value.map(sourceOf).join('') : escapeMarkup(String(value));
}
