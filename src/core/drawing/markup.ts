import { escapeMarkup } from '../base/escapeMarkup';

/** An element. Numbers are rounded to a hundredth, undefined attributes are left out; `content` is markup. */
export function element(
  name: string,
  attributes: Readonly<Record<string, string | number | undefined>>,
  content = '',
): string {
  const written = Object.entries(attributes)
    .flatMap(([key, value]) =>
      value === undefined
        ? []
        : [
            ` ${key}="${typeof value === 'number' ? String(Math.round(value * 100) / 100) : escapeMarkup(value)}"`,
          ],
    )
    .join('');
  return content === '' ? `<${name}${written}/>` : `<${name}${written}>${content}</${name}>`;
}
