import { useEffect, useSyncExternalStore } from 'react';
import { type Highlight, loadedEvent } from './highlightingContract';

/** The own script, while it runs: its address and the number that the page's policy wants of every script. */
const own = document.currentScript instanceof HTMLScriptElement ? document.currentScript : undefined;
const address = own?.src ?? '';
const nonce = own?.nonce ?? '';

let highlight: Highlight | undefined;
let isAsked = false;
const listeners = new Set<() => void>();

const isHighlight = (value: unknown): value is Highlight => typeof value === 'function';

/** Loads the bundle with the languages, once. Without it, code has no colours. */
function load(): void {
  if (isAsked || address === '') {
    return;
  }
  isAsked = true;
  document.addEventListener(
    loadedEvent,
    event => {
      const loaded: unknown = event instanceof CustomEvent ? event.detail : undefined;
      if (isHighlight(loaded)) {
        highlight = loaded;
        listeners.forEach(listener => listener());
      }
    },
    { once: true },
  );
  const script = document.createElement('script');
  script.nonce = nonce;
  script.src = new URL('highlighting.js', address).href;
  document.body.append(script);
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** Colours code; undefined until the languages are loaded. */
export function useHighlighting(isWanted: boolean): Highlight | undefined {
  useEffect(() => {
    if (isWanted) {
      load();
    }
  }, [isWanted]);
  return useSyncExternalStore(subscribe, () => highlight);
}
