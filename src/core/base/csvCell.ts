/** A cell as RFC 4180 has it. A text that a spreadsheet would take for a formula begins with an apostrophe. */
export function csvCell(value: string | number): string {
  const text = typeof value === 'string' && /^[=+\-@\t\r]/.test(value) ? `'${value}` : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
