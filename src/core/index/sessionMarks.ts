import { breakCount } from './lossTable';
import type { IndexedUsage } from './usageSums';

/**
 * The index's findings for a file, shown as marks in a list of sessions. All are 0 if the file was read only for its
 * usage.
 */
export interface SessionMarks {
  /** Kinds of credentials, and of personal data. */
  readonly secrets: number;
  readonly personal: number;
  /** Number of requests that lost their cache. */
  readonly breaks: number;
}

export function marksOf({ session, losses }: Pick<IndexedUsage, 'session' | 'losses'>): SessionMarks {
  const { findings = [] } = session;
  const secrets = findings.filter(({ label }) => label === 'restricted').length;
  return { secrets, personal: findings.length - secrets, breaks: breakCount(losses) };
}
