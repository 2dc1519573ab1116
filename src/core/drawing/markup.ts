import { visibleText } from '../base/visibleText';

/** Halves of surrogate pairs and noncharacters, which XML cannot hold. */
const impossible = /[\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;
/** Foreign text as text or as an attribute value of HTML and SVG; invisible characters are written out. */
export function escapeMarkup(text: string): string {
  return visibleText(text)
    .replace(impossible, '\ufffd')
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
    .replace(/"/g, '&quot;')
    .replace(/'/g, '&#39;');
}

/** An element. Numbers are rounded to a hundredth, attributes that are undefined are left out; `content` is markup. */
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
