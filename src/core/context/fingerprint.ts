import type { PrefixFingerprint, RenderedContext } from '../model/renderedContext';
import { turnJson } from './contextJson';

/** FNV-1a over the UTF-8 bytes of `text`, 64 bits as 16 hex digits. */
export function fnv1a64(text: string): string {
  let high = 0xcbf29ce4;
  let low = 0x84222325;
  for (const byte of new TextEncoder().encode(text)) {
    low = (low ^ byte) >>> 0;
    // The prime is 2^40 + 435: the first term moves the low half up by 40 bits, the second stays below 2^53.
    const product = low * 435;
    high = (Math.imul(high, 435) + Math.floor(product / 0x1_0000_0000) + (low << 8)) >>> 0;
    low = product >>> 0;
  }
  return hexWord(high) + hexWord(low);
}

function hexWord(word: number): string {
  return word.toString(16).padStart(8, '0');
}

/** Hashes of what a provider can cache of a context (deepstrike-core 0.2.34, RenderedContext::prefix_fingerprint). */
export function prefixFingerprint(rendered: RenderedContext): PrefixFingerprint {
  return {
    systemStableHash: fnv1a64(rendered.systemStable),
    systemKnowledgeHash: fnv1a64(rendered.systemKnowledge),
    turnHashes: rendered.turns.map(turn => fnv1a64(turnJson(turn))),
  };
}

/** The context only grew at its end: same system slots, and all previous turns unchanged at the beginning. */
export function extendsFingerprint(current: PrefixFingerprint, previous: PrefixFingerprint): boolean {
  return (
    current.systemStableHash === previous.systemStableHash &&
    current.systemKnowledgeHash === previous.systemKnowledgeHash &&
    commonTurnPrefix(current, previous) === previous.turnHashes.length
  );
}

/** Number of leading turns that both have, whatever their system slots are. */
export function commonTurnPrefix(current: PrefixFingerprint, previous: PrefixFingerprint): number {
  const shorter = Math.min(current.turnHashes.length, previous.turnHashes.length);
  for (let index = 0; index < shorter; index += 1) {
    if (current.turnHashes[index] !== previous.turnHashes[index]) {
      return index;
    }
  }
  return shorter;
}
