import { breakCount } from './lossTable';
import type { IndexedUsage } from './usageSums';

/** What the index found in a file, as a list of sessions marks it. All are 0 where the file was read for its usage alone. */
export interface SessionMarks {
  /** Kinds of credentials, and of personal data. */
  readonly secrets: number;
  readonly personal: number;
  /** Requests that lost the cache. */
  readonly breaks: number;
}

export function marksOf({ session, losses }: Pick<IndexedUsage, 'session' | 'losses'>): SessionMarks {
  const { findings = [] } = session;
  const secrets = findings.filter(({ label }) => label === 'restricted').length;
  return { secrets, personal: findings.length - secrets, breaks: breakCount(losses) };
}
