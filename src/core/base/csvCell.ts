/**
 * A cell in the format of RFC 4180. A text that a spreadsheet could mistake for a formula gets an apostrophe in front.
 */
export function csvCell(value: string | number): string {
  const text = typeof value === 'string' && /^[=+\-@\t\r]/.test(value) ? `'${value}` : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
