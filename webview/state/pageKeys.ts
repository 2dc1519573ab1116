import { useEffect, useRef } from 'react';
import type { ColourMode } from '../../src/core/drawing/palette';
import { openComparison } from './comparison';
import { requestInView, requestsInView } from './derived';
import { type Inspector, selectRequest, useInspector } from './inspector';
import { closeLook, openLook, stepLook } from './insights';
import type { KeyOf } from './keyTable';
import { focusFind, goesIntoField, keyIn } from './keys';

/** Shows a neighbour of the request in view. */
function step(inspector: Inspector, by: 1 | -1): void {
  const { page, view } = inspector.store.get();
  if (page.kind !== 'session') {
    return;
  }
  const { columns } = page.session;
  const requests = requestsInView(columns, view);
  const request = requestInView(columns, view);
  const target = request === undefined ? undefined : requests[requests.indexOf(request) + by];
  if (target !== undefined) {
    selectRequest(inspector, columns, target);
  }
}

/**
 * The keys that work everywhere in the page. Parts of the page have more keys, and keys handled there are skipped here.
 */
export function usePageKeys(): void {
  const inspector = useInspector();
  /** The colour mode to return to from sensitivity. */
  const otherColours = useRef<ColourMode>('source');
  useEffect(() => {
    const act = (name: KeyOf<'page'> | undefined): boolean => {
      switch (name) {
        case 'previousRequest':
          step(inspector, -1);
          return true;
        case 'nextRequest':
          step(inspector, 1);
          return true;
        case 'find':
          focusFind();
          return true;
        case 'sensitivity': {
          const { colourMode } = inspector.store.get().view;
          if (colourMode !== 'sensitivity') {
            otherColours.current = colourMode;
          }
          inspector.chooseColours(colourMode === 'sensitivity' ? otherColours.current : 'sensitivity');
          return true;
        }
        case 'look':
          if (inspector.store.get().look.isOpen) {
            closeLook(inspector);
          } else {
            openLook(inspector);
          }
          return true;
        case 'nextLook':
          stepLook(inspector, 1);
          return true;
        case 'previousLook':
          stepLook(inspector, -1);
          return true;
        case 'compare':
          if (inspector.store.get().view.mainView === 'comparison') {
            inspector.changeView({ mainView: 'layout' });
          } else {
            openComparison(inspector);
          }
          return true;
        case 'copyLink':
          inspector.copyLink();
          return true;
        case 'help':
          inspector.showKeys(true);
          return true;
        // The panes, the search and the text do these.
        case 'nextHit':
        case 'nextFinding':
        case 'nextPane':
        case 'close':
        case undefined:
          return false;
      }
    };
    const onKey = (event: KeyboardEvent): void => {
      const isTaken = event.defaultPrevented || inspector.store.get().keysShown || goesIntoField(event);
      if (!isTaken && act(keyIn('page', event))) {
        event.preventDefault();
      }
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [inspector]);
}
