import { visibleText } from './visibleText';

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
