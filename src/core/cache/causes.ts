import { formatDecimal, formatNumber } from '../base/format';
import { type CacheBreakCause, cacheBreakCauses } from './cacheFinding';

/** Causes, with the evidence for them. */
export class Causes {
  private readonly found = new Set<CacheBreakCause>();
  readonly evidence: string[] = [];

  add(cause: CacheBreakCause, fact: string): void {
    this.found.add(cause);
    this.evidence.push(fact);
  }

  get inOrder(): readonly CacheBreakCause[] {
    return cacheBreakCauses.filter(cause => this.found.has(cause));
  }
}

/** Seconds in the unit that fits them. */
export function duration(seconds: number): string {
  if (seconds < 120) {
    return `${formatNumber(seconds)} s`;
  }
  const [value, unit] = seconds < 7200 ? [seconds / 60, 'min'] : [seconds / 3600, 'h'];
  return `${formatDecimal(value)} ${unit}`;
}
