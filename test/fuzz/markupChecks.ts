/** Elements that run, load or send something, or lead elsewhere. Neither page nor drawing has any. */
const forbidden = new Set(
  'script iframe frame object embed applet form input button a area img image video audio source link base foreignobject use set animate'.split(
    ' ',
  ),
);

/** Elements of HTML without an end. */
const empty = new Set(['meta', 'br', 'hr']);

const tagExpression = /^<(\/?)([A-Za-z][A-Za-z0-9]*)((?:\s+[A-Za-z][A-Za-z:-]*="[^"<]*")*)\s*(\/?)>/;

/**
 * Parses the markup of a page or a drawing by the strict rules with which the program writes it.
 * @returns the first defect
 */
export function markupDefect(markup: string): string | undefined {
  const open: string[] = [];
  let at = /^(?:<!doctype html>\s*|<\?xml [^?]*\?>\s*)?/i.exec(markup)?.[0].length ?? 0;
  while (at < markup.length) {
    const next = markup.indexOf('<', at);
    const text = markup.slice(at, next < 0 ? markup.length : next);
    if (/&(?!amp;|lt;|gt;|quot;|#39;)/.test(text)) {
      return `ampersand in text: ${around(text, text.search(/&(?!amp;|lt;|gt;|quot;|#39;)/))}`;
    }
    if (next < 0) {
      break;
    }
    const tag = tagExpression.exec(markup.slice(next, next + 100_000));
    if (tag === null) {
      return `no tag: ${markup.slice(next, next + 60)}`;
    }
    const [whole, slash, name = '', attributes = '', end] = tag;
    const defect = attributeDefect(attributes);
    if (forbidden.has(name.toLowerCase()) || defect !== undefined) {
      return defect ?? `element ${name}`;
    }
    at = next + whole.length;
    if (slash === '/') {
      if (open.pop() !== name) {
        return `end of ${name} that was not open`;
      }
    } else if (end !== '/' && !empty.has(name)) {
      open.push(name);
      if (name === 'style') {
        at = markup.indexOf('</style>', at);
      }
    }
  }
  return open.length === 0 ? undefined : `${open.at(-1) ?? ''} is not closed`;
}

function attributeDefect(attributes: string): string | undefined {
  for (const [, name = '', value = ''] of attributes.matchAll(/\s([A-Za-z:-]+)="([^"]*)"/g)) {
    if (/^on|^(xlink:)?href$|^src|^style$|^action|^srcdoc/i.test(name)) {
      return `attribute ${name}`;
    }
    if (/^(x|y|x1|x2|y1|y2|cx|cy|r|rx|width|height|d|points|transform|viewBox)$/.test(name)) {
      if (/NaN|Infinity|undefined|e[+]?\d/.test(value)) {
        return `number in ${name}: ${value.slice(0, 40)}`;
      }
      if (/^(width|height|r)$/.test(name) && value.startsWith('-')) {
        return `negative ${name}`;
      }
    }
    if (/&(?!amp;|lt;|gt;|quot;|#39;)/.test(value)) {
      return `ampersand in ${name}`;
    }
  }
  return undefined;
}

function around(text: string, index: number): string {
  return text.slice(Math.max(0, index - 20), index + 20);
}
