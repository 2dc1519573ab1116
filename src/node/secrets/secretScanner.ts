import { rules } from '@secretlint/secretlint-rule-preset-recommend';
import type { SecretLintRuleContext, SecretLintSourceCode } from '@secretlint/types';
import { isObject } from '../../core/base/json';
import type { SensitivityFinding } from '../../core/sensitivity/finding';

const rulePrefix = '@secretlint/secretlint-rule-';
/** An identifier, not a credential. */
const privateMessage = 'AWSAccountID';

/** Position of an offset as secretlint expects it: lines from 1, columns from 0. */
function positionAt(text: string, index: number): { readonly line: number; readonly column: number } {
  const before = text.slice(0, index);
  return { line: before.split('\n').length, column: index - before.lastIndexOf('\n') - 1 };
}

function offsetOf(
  text: string,
  { line, column }: { readonly line: number; readonly column: number },
): number {
  let start = 0;
  for (let passed = 1; passed < line; passed++) {
    start = text.indexOf('\n', start) + 1;
  }
  return start + column;
}

/** A text in the form of a secretlint file without a name. */
function sourceOf(content: string): SecretLintSourceCode {
  return {
    hasBOM: false,
    content,
    filePath: undefined,
    physicalFilePath: undefined,
    contentType: 'text',
    ext: '',
    getFilePath: () => undefined,
    getPhysicalFilePath: () => undefined,
    locationToRange: ({ start, end }) => [offsetOf(content, start), offsetOf(content, end)],
    rangeToLocation: ([start, end]) => ({ start: positionAt(content, start), end: positionAt(content, end) }),
    positionToIndex: position => offsetOf(content, position),
    indexToPosition: index => positionAt(content, index),
  };
}

/**
 * The range of a report, extended to the whole value. The rule for AWS secret keys reports a range that starts at the
 * name of the key but has only the length of the value.
 */
function coveringRange(
  text: string,
  [start, end]: readonly [number, number],
  values: readonly unknown[],
): readonly [number, number] {
  const ends = values.map(value => {
    if (typeof value !== 'string') {
      return end;
    }
    const place = text.slice(start, end + value.length).indexOf(value);
    return place === -1 ? end : start + place + value.length;
  });
  return [start, Math.max(end, ...ends)];
}

/** A rule's message without the secret, which follows a colon. */
function describe(message: string): string {
  return message.replace(/(?:\([^)]*\))?:.*$/s, '');
}

let current: { readonly text: string; readonly findings: SensitivityFinding[] } = { text: '', findings: [] };

const handlers = rules
  .filter(({ meta }) => meta.type === 'scanner')
  .map(creator => {
    const name = creator.meta.id.replace(rulePrefix, '');
    const rule = `secretlint/${name}`;
    const context: SecretLintRuleContext = {
      sharedOptions: {},
      createTranslator: messages => (id, values) => ({
        message: describe(messages[id]?.en(values) ?? rule),
        messageId: String(id),
        data: values,
      }),
      report: ({ message: { message, messageId, ...more }, range }) => {
        const data: unknown = more.data;
        const [start, end] = coveringRange(current.text, range, isObject(data) ? Object.values(data) : []);
        const label = messageId === privateMessage ? 'private' : 'restricted';
        current.findings.push({ rule, label, start, end, message });
      },
      ignore: () => undefined,
    };
    return { name, handler: creator.create(context, { enableIDScanRule: true }) };
  });

/** The names of the rules, without secretlint's prefix. */
export const ruleNames: readonly string[] = handlers.map(({ name }) => name);

/**
 * Runs secretlint's recommended rules (https://github.com/secretlint/secretlint), or the wanted ones, on one text. The
 * rules are called without secretlint's engine, which would create performance marks for each rule and text, never
 * release them, and compare all messages with each other. Comments that disable rules have no effect, because the text
 * is not trusted.
 */
export async function scanWith(
  text: string,
  wanted?: ReadonlySet<string>,
): Promise<readonly SensitivityFinding[]> {
  const findings: SensitivityFinding[] = [];
  current = { text, findings };
  const source = sourceOf(text);
  // Every rule reports before its first await, so concurrent scans do not mix.
  await Promise.all(
    handlers.map(async ({ name, handler }) =>
      wanted === undefined || wanted.has(name) ? handler.file?.(source) : undefined,
    ),
  );
  return findings;
}
