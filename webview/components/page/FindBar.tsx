import { type KeyboardEvent, useCallback, useEffect, useLayoutEffect, useRef } from 'react';
import { visibleText } from '../../../src/core/base/visibleText';
import { Button } from '../../controls/Button';
import { controlIcons } from '../../controls/icons';
import { IconButton } from '../../controls/IconButton';
import { ToggleButton } from '../../controls/ToggleButton';
import { goToHit, hitBeside, hitCount, hitOrder, placeOf, queryOf, useSearch } from '../../state/find';
import { useAppState, useInspector, useViewState } from '../../state/inspector';
import { findAreaId, keyIn } from '../../state/keys';
import type { RequestInView } from '../../state/requestParts';
import type { ViewState } from '../../state/viewState';
import { findWords as words } from '../../words/details';
import { pageWords } from '../../words/page';
import { Icon } from '../common/Icon';

/** The search: a button, and the field that it opens. The editor's own search would see only the drawn part. */
export function FindBar(request: RequestInView) {
  const { changeView, store } = useInspector();
  const find = useViewState('find');
  const opener = useRef<HTMLElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const { columns, view } = request;
  useSearch(queryOf(find), columns, view);
  const step = useStep(request);

  const isFocusWanted = useRef(false);
  const focusField = (): void => {
    field.current?.focus();
    field.current?.select();
  };
  // Synchronous, so that text typed right after the key that opens the search goes into the field.
  useLayoutEffect(() => {
    if (find.isOpen && isFocusWanted.current) {
      isFocusWanted.current = false;
      focusField();
    }
  }, [find.isOpen]);
  const open = useCallback((): void => {
    const { activeElement } = document;
    if (activeElement !== field.current && activeElement instanceof HTMLElement) {
      opener.current = activeElement;
    }
    if (store.get().view.find.isOpen) {
      focusField();
    } else {
      isFocusWanted.current = true;
      changeView({ find: { ...store.get().view.find, isOpen: true } });
    }
  }, [changeView, store]);
  const close = (): void => {
    changeView({ find: { ...find, isOpen: false } });
    const { current } = opener;
    requestAnimationFrame(() => {
      const back =
        current?.isConnected === true
          ? current
          : document.getElementById(findAreaId)?.querySelector<HTMLElement>('button');
      back?.focus();
    });
  };

  useEffect(() => {
    const onKeyDown = (event: globalThis.KeyboardEvent): void => {
      const isFind =
        event.key.toLowerCase() === 'f' &&
        (event.ctrlKey || event.metaKey) &&
        !event.altKey &&
        !event.shiftKey;
      const isStep = keyIn('page', event) === 'nextHit' && store.get().view.find.isOpen;
      if (isFind || isStep) {
        // VS Code listens above the document, and would open its own search.
        event.preventDefault();
        event.stopPropagation();
        if (isFind) {
          open();
        } else {
          step(event.shiftKey ? -1 : 1);
        }
      }
    };
    document.addEventListener('keydown', onKeyDown, { capture: true });
    return () => document.removeEventListener('keydown', onKeyDown, { capture: true });
  }, [open, step, store]);

  if (!find.isOpen) {
    return (
      <div id={findAreaId}>
        <button
          type="button"
          className="find-open input bare muted row gap-6 small"
          aria-label={words.open}
          title={words.openHint(view.blocks.length)}
          onClick={open}
        >
          <Icon icon={controlIcons.search} />
          <span className="find-open__words">{words.open}</span>
        </button>
      </div>
    );
  }
  const change = (part: Partial<ViewState['find']>): void => changeView({ find: { ...find, ...part } });
  const onKeyDown = (event: KeyboardEvent): void => {
    switch (event.key) {
      case 'Enter':
        event.preventDefault();
        step(event.shiftKey ? -1 : 1);
        break;
      case 'Escape':
        event.preventDefault();
        event.stopPropagation();
        close();
        break;
      default:
    }
  };
  return (
    // eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Escape closes it from each of its controls
    <div
      id={findAreaId}
      className="find row gap-4 shrinks"
      role="search"
      aria-label={words.label}
      data-testid="find"
      onKeyDown={event => {
        if (event.key === 'Escape') {
          onKeyDown(event);
        }
      }}
    >
      <div className="search-field input row">
        <input
          ref={field}
          className="search-field__input bare grows"
          type="text"
          aria-label={words.label}
          placeholder={words.placeholder}
          spellCheck={false}
          maxLength={1000}
          value={find.text}
          onChange={({ target }) => change({ text: target.value })}
          onKeyDown={onKeyDown}
        />
        <ToggleButton
          name={words.matchCase}
          isOn={find.matchesCase}
          onChange={matchesCase => change({ matchesCase })}
        >
          {words.caseSign}
        </ToggleButton>
        <ToggleButton name={words.regex} isOn={find.isRegex} onChange={isRegex => change({ isRegex })}>
          .*
        </ToggleButton>
      </div>
      <ToggleButton
        name={words.wholeSession}
        isOn={find.isWholeSession}
        onChange={isWholeSession => change({ isWholeSession })}
      >
        ≡
      </ToggleButton>
      <FindCount {...request} />
      <IconButton icon="up" name={words.previous} onPress={() => step(-1)} />
      <IconButton icon="down" name={words.next} onPress={() => step(1)} />
      <IconButton icon="close" name={words.close} onPress={close} />
    </div>
  );
}

/** Goes to the next or previous hit. If none is found yet, goes as soon as there is one. */
function useStep({ columns, view }: RequestInView): (step: 1 | -1) => void {
  const inspector = useInspector();
  const { store } = inspector;
  const isWholeSession = useViewState('find').isWholeSession;
  const result = useAppState(state => state.find.result);
  const wanted = useRef<1 | -1>(undefined);
  const step = useCallback(
    (direction: 1 | -1): void => {
      const { find, view: state } = store.get();
      const query = JSON.stringify(queryOf(state.find));
      const isCurrent = find.result !== undefined && JSON.stringify(find.result.query) === query;
      const place = isCurrent
        ? hitBeside(hitOrder(find.result, view, isWholeSession), find.current, state.block, direction)
        : undefined;
      if (place !== undefined) {
        goToHit(inspector, columns, view, place);
      }
      wanted.current = place === undefined && find.result?.isDone !== true ? direction : undefined;
      if (!isCurrent) {
        wanted.current = direction;
      }
    },
    [inspector, store, columns, view, isWholeSession],
  );
  useEffect(() => {
    if (wanted.current !== undefined && result !== undefined) {
      step(wanted.current);
    }
  }, [result, step]);
  return step;
}

/** The number of the hit in view and of all hits, or the reason why there is none. */
function FindCount({ view }: RequestInView) {
  const { isWholeSession } = useViewState('find');
  const { result, current } = useAppState(state => state.find);
  const selected = useViewState('block');
  const text = useViewState('find').text.trim();
  if (result === undefined) {
    return (
      <span className="find__count small ellipsis tabular muted" role="status">
        {text === '' ? '' : words.searching}
      </span>
    );
  }
  const order = hitOrder(result, view, isWholeSession);
  const place = current?.block === selected ? placeOf(order, current) : undefined;
  const elsewhere = hitCount(result) - order.count;
  const count =
    order.count === 0
      ? result.isDone
        ? words.none
        : words.searching
      : place === undefined
        ? words.hits(order.count)
        : words.place(place + 1, order.count);
  return (
    <span
      className={`find__count small ellipsis tabular${result.sentence === undefined ? '' : ' find__count--failed'}`}
      role="status"
    >
      <span className="find__place">{count}</span>
      {elsewhere > 0 && <span className="muted find__elsewhere"> {words.elsewhere(elsewhere)}</span>}
      {result.sentence !== undefined && (
        <span className="find__sentence popup">
          {visibleText(result.sentence)}
          {result.retry !== undefined && <Button onPress={result.retry}>{pageWords.retry}</Button>}
        </span>
      )}
    </span>
  );
}
