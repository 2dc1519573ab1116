import { visibleText } from './visibleText';

/** Halves of surrogate pairs and noncharacters, which XML cannot contain. */
const impossible = /[\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;
/** Foreign text escaped for use as text or attribute value in HTML and SVG. Invisible characters are spelled out. */
export function escapeMarkup(text: string): string {
  return visibleText(text)
    .replace(impossible, '\ufffd')
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
    .replace(/"/g, '&quot;')
    .replace(/'/g, '&#39;');
}
