import { runEventLoop } from '../base/cancelling';
import { type SensitivityLabel, sensitivityLabels } from '../model/labels';
import { sensitiveInEach } from './credentials';
import type { SensitivityFinding } from './finding';
import { memberSecretsIn } from './memberSecret';
import { isPlaceholder } from './placeholder';
import type { SecretScanner } from './scanner';

export function worstLabel(findings: readonly SensitivityFinding[]): SensitivityLabel {
  const worst = findings.reduce((rank, { label }) => Math.max(rank, sensitivityLabels.indexOf(label)), 0);
  return sensitivityLabels[worst] ?? 'public';
}

/** Sorts credentials before personal data. A comparison by language rules would load them first, which takes 7 ms. */
export function byLabel(
  first: { readonly label: SensitivityLabel },
  second: { readonly label: SensitivityLabel },
): number {
  return sensitivityLabels.indexOf(second.label) - sensitivityLabels.indexOf(first.label);
}

/** In text order, without findings inside another one with the same or a higher label. */
function withoutContained(findings: readonly SensitivityFinding[]): readonly SensitivityFinding[] {
  const sorted = findings.toSorted((first, second) => first.start - second.start || second.end - first.end);
  const reach = { private: 0, restricted: 0 };
  return sorted.filter(({ label, end }) => {
    const contained = end <= reach.restricted || (label === 'private' && end <= reach.private);
    reach[label] = Math.max(reach[label], end);
    return !contained;
  });
}

/** All findings in one text, in text order. If the text is JSON, its values are judged with their names. */
export async function scanText(text: string, scanner: SecretScanner): Promise<readonly SensitivityFinding[]> {
  const members = memberSecretsIn(text);
  const found = (await scanEach([text], scanner))[0] ?? [];
  return members.length === 0 ? found : withoutContained([...found, ...members]);
}

/** The same for a JSON value that is also judged with its name elsewhere. Empty for binary data. */
export async function scanValue(
  text: string,
  scanner: SecretScanner,
): Promise<readonly SensitivityFinding[]> {
  return (await scanValues([text], scanner))[0] ?? [];
}

/** The same for several values. Each is judged by itself alone. */
export function scanValues(
  texts: readonly string[],
  scanner: SecretScanner,
): Promise<readonly (readonly SensitivityFinding[])[]> {
  return scanEach(
    texts.map(text => (isBinary(text) ? '' : text)),
    scanner,
  );
}

async function scanEach(
  texts: readonly string[],
  scanner: SecretScanner,
): Promise<readonly (readonly SensitivityFinding[])[]> {
  const results: (readonly SensitivityFinding[])[] = [];
  for (const [index, { findings, rules }] of sensitiveInEach(texts, scanner).entries()) {
    const isOver = scanner.conditions !== undefined && rules.size === 0;
    const others = isOver ? [] : await scanner.scan(texts[index] ?? '', scanner.conditions && rules);
    const real = others.filter(({ start, end }) => !isDocumented((texts[index] ?? '').slice(start, end)));
    const found = real.length === 0 ? findings : [...findings, ...real];
    results.push(found.length < 2 ? found : withoutContained(found));
  }
  return results;
}

/** True for documented examples, such as the key that ends with EXAMPLE, and for addresses with a form to fill in. */
function isDocumented(value: string): boolean {
  const password = /:\/\/[^\s:@/]*:(?<value>[^\s@/]+)@/.exec(value)?.groups?.['value'];
  return /EXAMPLE|x{8}/i.test(value) || (password !== undefined && isPlaceholder(password));
}

/**
 * Minimum length of base64 data that is checked for being binary: pictures, signatures, encrypted reasoning. No rule
 * can find anything in binary data.
 */
const shortestData = 2000;
/** A pattern that matches all of a long text would exceed the memory limit of expressions. */
const notOfData = /[^A-Za-z0-9+/_=-]/;

function isBinary(text: string): boolean {
  if (text.length < shortestData || notOfData.test(text)) {
    return false;
  }
  try {
    // Base64 of plain text is scanned like any other text.
    return /[^\t\n\r -~]/.test(atob(text.slice(0, 64).replace(/-/g, '+').replace(/_/g, '/')));
  } catch {
    return true;
  }
}

/** The findings of one text. */
export interface ScannedText<Key> {
  readonly key: Key;
  readonly text: string;
  /** The worst label among the findings; `public` without any. */
  readonly label: SensitivityLabel;
  readonly findings: readonly SensitivityFinding[];
}

/** UTF-16 units scanned between two turns of the event loop, in which messages and cancellation are handled. */
const pauseAfter = 2 ** 20;

/**
 * Scans texts one after the other, and lets the event loop run about every megabyte.
 * @throws the signal's reason when it is aborted.
 */
export async function* scanTexts<Key>(
  texts:
    | Iterable<{ readonly key: Key; readonly text: string }>
    | AsyncIterable<{ readonly key: Key; readonly text: string }>,
  scanner: SecretScanner,
  signal?: AbortSignal,
): AsyncGenerator<ScannedText<Key>, void, undefined> {
  let scanned = 0;
  for await (const { key, text } of texts) {
    signal?.throwIfAborted();
    const findings = await scanText(text, scanner);
    yield { key, text, label: worstLabel(findings), findings };
    scanned += text.length;
    if (scanned >= pauseAfter) {
      scanned = 0;
      await runEventLoop();
    }
  }
}
