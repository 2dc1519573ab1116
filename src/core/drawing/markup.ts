/** Halves of surrogate pairs and what is no character: XML cannot hold them. */
const impossible = /[\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;
/** Characters that show nothing or turn the direction of the text after them. */
const invisible = /(?![\t\n\r\u200c\u200d])[\p{Cc}\p{Cf}]/gu;

/** Foreign text as text and attribute value of HTML and SVG; what cannot be seen is written out. */
export function escapeMarkup(text: string): string {
  return text
    .replace(impossible, '\ufffd')
    .replace(
      invisible,
      sign => `[U+${(sign.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}]`,
    )
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
    .replace(/"/g, '&quot;')
    .replace(/'/g, '&#39;');
}

/** An element; attributes that are numbers are rounded to a hundredth. `content` is markup already. */
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
