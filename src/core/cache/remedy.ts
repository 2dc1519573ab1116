import { translate } from '../base/translate';
import type { CacheBreakCause, CacheFinding } from './cacheFinding';

/** One act that would have kept the cache, by cause. Causes that the user cannot change have none. */
const remedies: Readonly<Partial<Record<CacheBreakCause, string>>> = {
  modelChanged: translate('Keep one model for the whole session. Start a new session for another model.'),
  settingsChanged: translate(
    'Choose the reasoning effort and other settings before the first prompt, and keep them.',
  ),
  resumed: translate('Continue in the open session, or start a new one with a summary instead of resuming.'),
  lifetimeExpired: translate(
    'Continue before the cache expires. Before a longer break, finish the task and start a new session after it.',
  ),
  parallelRequests: translate(
    'Send the first of parallel requests alone, and the others when its reply begins.',
  ),
  toolsAdded: translate('Connect MCP servers before the first prompt, and keep them.'),
  toolsRemoved: translate('Connect MCP servers before the first prompt, and keep them.'),
  toolsChanged: translate('Connect MCP servers before the first prompt, and keep them.'),
  systemChanged: translate('Change memory files and the system prompt between sessions, not during one.'),
  volatileValue: translate(
    'Keep values that change, such as dates and build numbers, out of memory files and the system prompt.',
  ),
  skillLoaded: translate('Load skills at the beginning of the session.'),
  lookbackExceeded: translate('Set one more breakpoint where a request adds many blocks.'),
};

/**
 * The remedy for a cache loss; undefined if nobody can change its cause, or the record leaves causes with different
 * remedies.
 */
export function remedyOf({ causes: [first], certainty, possible }: CacheFinding): string | undefined {
  switch (certainty) {
    case 'recorded':
    case 'shown':
      return remedies[first];
    case 'narrowed': {
      const [remedy, ...others] = new Set(possible.map(cause => remedyAmong(cause, possible)));
      return others.length === 0 ? remedy : undefined;
    }
    case 'assumed':
      return undefined;
  }
}

/** A cache that the provider evicted in a pause, before it expired, is kept by a shorter pause too. */
const remedyAmong = (cause: CacheBreakCause, possible: readonly CacheBreakCause[]): string | undefined =>
  remedies[cause === 'evicted' && possible.includes('lifetimeExpired') ? 'lifetimeExpired' : cause];
