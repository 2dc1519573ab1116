import { type CacheBreakCause, cacheBreakCauses } from './cacheFinding';

/** Causes, with the evidence for them. */
export class Causes {
  private readonly found = new Set<CacheBreakCause>();
  readonly evidence: string[] = [];

  add(cause: CacheBreakCause, fact: string): void {
    this.found.add(cause);
    this.evidence.push(fact);
  }

  include(other: Causes): void {
    other.found.forEach(cause => this.found.add(cause));
    this.evidence.push(...other.evidence);
  }

  get inOrder(): readonly CacheBreakCause[] {
    return cacheBreakCauses.filter(cause => this.found.has(cause));
  }
}
