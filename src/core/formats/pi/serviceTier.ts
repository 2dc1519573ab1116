import { stringAt } from '../../base/json';

type Family = 'openai' | 'anthropic' | 'google';

/** The families for which one word of an older oh-my-pi asked, and for which tier. */
const olderWords: Readonly<Record<string, { readonly tier: string; readonly families: readonly Family[] }>> =
  {
    priority: { tier: 'priority', families: ['openai', 'anthropic', 'google'] },
    'openai-only': { tier: 'priority', families: ['openai'] },
    'claude-only': { tier: 'priority', families: ['anthropic'] },
    flex: { tier: 'flex', families: ['openai'] },
    scale: { tier: 'scale', families: ['openai'] },
  };

/**
 * The service tier that oh-my-pi asked for, in the provider's word; undefined for the usual one.
 * @param chosen the `serviceTier` of the last `service_tier_change`: a tier by family of providers, or one word
 * @param reply a message of the assistant, with its provider
 */
export function serviceTierOf(chosen: unknown, reply: unknown): string | undefined {
  const family = familyOf(reply);
  if (family === undefined) {
    return undefined;
  }
  const older = typeof chosen === 'string' ? olderWords[chosen] : undefined;
  const tier =
    older === undefined ? stringAt(chosen, family) : older.families.includes(family) ? older.tier : undefined;
  // For Anthropic, oh-my-pi asks for `speed: "fast"` instead.
  return family === 'anthropic' ? (tier === 'priority' ? 'fast' : undefined) : tier;
}

/** The family whose tier a request names; other providers take none. */
function familyOf(reply: unknown): Family | undefined {
  switch (stringAt(reply, 'provider')) {
    case 'openai':
    case 'openai-codex':
      return 'openai';
    case 'anthropic':
      return 'anthropic';
    case 'google':
    case 'google-vertex':
      return 'google';
    case 'openrouter': {
      const [maker] = (stringAt(reply, 'model') ?? '').split('/');
      return maker === 'openai' || maker === 'google' ? maker : undefined;
    }
    case undefined:
    default:
      return undefined;
  }
}
