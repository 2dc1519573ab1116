import { maskLabel, maskLabelAlone } from '../sensitivity/maskLabel';

/**
 * The labels of a transcript as they may be shown: without the secrets that are known so far. By label, since calls and
 * their results share one, and the title is that of the first prompt.
 */
export class ShownLabels {
  /** Those in which a secret was found elsewhere. */
  private readonly shown = new Map<string, string>();
  /** How often labels that were shown have changed since. */
  changes = 0;

  of(label: string): string {
    return this.shown.get(label) ?? maskLabelAlone(label);
  }

  /** Takes secrets that were found in a text out of its label. */
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
