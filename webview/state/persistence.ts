import type { VsCodeApi } from './host';
import type { Store } from './store';

/** Minimum interval between saves while the user scrolls. */
const saveMilliseconds = 150;

/**
 * Saves the view of a page for when it is shown again. A hidden page is discarded without another turn of the event
 * loop, so only scrolling may wait.
 */
export function keepView<View extends object>(
  api: VsCodeApi,
  store: Pick<Store<{ readonly view: View }>, 'get' | 'subscribe'>,
  scrollMembers: readonly (keyof View)[] = [],
): void {
  let saving: number | undefined;
  let saved = store.get().view;
  const save = (): void => {
    window.clearTimeout(saving);
    saving = undefined;
    saved = store.get().view;
    api.setState(saved);
  };
  const scrolls = new Set<PropertyKey>(scrollMembers);
  const differsInScrollOnly = (view: View): boolean => {
    const before = new Map<string, unknown>(Object.entries(saved));
    return Object.entries(view).every(([key, value]) => scrolls.has(key) || before.get(key) === value);
  };
  store.subscribe(() => {
    const { view } = store.get();
    if (view === saved) {
      return;
    }
    if (differsInScrollOnly(view)) {
      saving ??= window.setTimeout(save, saveMilliseconds);
    } else {
      save();
    }
  });
  document.addEventListener('visibilitychange', () => {
    if (saving !== undefined) {
      save();
    }
  });
}
