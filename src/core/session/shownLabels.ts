import { maskLabel, maskLabelAlone } from '../sensitivity/maskLabel';
import type { SecretScanner } from '../sensitivity/scanner';

/**
 * The labels of a transcript without the secrets known so far. They are kept by label, since a call and its result share
 * one, and the title is the first prompt's label.
 */
export class ShownLabels {
  /** Labels in which a secret was found. */
  private readonly shown = new Map<string, string>();
  /** The number of times that labels changed after they were shown. */
  changes = 0;

  constructor(private readonly scanner: SecretScanner) {}

  of(label: string): string {
    return this.shown.get(label) ?? maskLabelAlone(label, this.scanner);
  }

  /** Removes secrets that were found in a text from its label. */
  hide(label: string, secrets: readonly string[]): void {
    if (secrets.length === 0) {
      return;
    }
    const before = this.of(label);
    const masked = maskLabel(before, secrets);
    if (masked !== before) {
      this.shown.set(label, masked);
      this.changes += 1;
    }
  }
}
