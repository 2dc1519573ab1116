import { type ReactNode, useCallback, useEffect, useMemo, useRef } from 'react';
import { Button } from '../../controls/Button';
import { Splitter } from '../../controls/Splitter';
import { Tabs } from '../../controls/Tabs';
import { useSize } from '../../drawing/canvasHooks';
import { useAppState, useInspector, useViewState } from '../../state/inspector';
import { keyIn } from '../../state/keys';
import {
  ContentSize,
  type PaneSize,
  contentSize,
  focusContent,
  isPaneOpen,
  leastContentHeight,
  paneLayout,
} from '../../state/panes';
import type { RequestParts } from '../../state/requestParts';
import { type Panel, columnPanels, panels } from '../../state/viewState';
import { paneWords as words, panelHints, panelWords } from '../../words/page';
import { BlockDetails } from '../block/BlockDetails';
import { CachePanel } from '../cache/CachePanel';
import { ModelPanel } from '../model/ModelPanel';
import { PrunePanel } from '../prune/PrunePanel';
import { RenderedPanel } from '../request/RenderedPanel';
import { WastePanel } from '../waste/WastePanel';

const isInColumn = (panel: Panel): boolean => columnPanels.some(name => name === panel);

/**
 * The content of a request under its toolbar, with the details next to it, below it or over it, depending on the page's
 * size.
 */
export function Panes({
  tools,
  content,
  parts,
}: {
  readonly tools: ReactNode;
  readonly content: ReactNode;
  readonly parts: RequestParts;
}) {
  const { changeView } = useInspector();
  const body = useRef<HTMLDivElement>(null);
  const toolbar = useRef<HTMLDivElement>(null);
  const size = useSize(body);
  const { height: toolbarHeight } = useSize(toolbar);
  const leastHeight = toolbarHeight + leastContentHeight;
  const paneSizes = useViewState('paneSizes');
  const panes = useMemo(() => paneLayout(size, leastHeight, paneSizes), [size, leastHeight, paneSizes]);
  const { place, details, column } = panes;
  const sizeWithDetails = useMemo(
    () => contentSize(size, panes, toolbarHeight),
    [size, panes, toolbarHeight],
  );
  const isOpen = useAppState(({ view }) => isPaneOpen(view, place));
  const panel = useViewState('panel');
  const columnPanel = useViewState('column');
  const isCovered = isOpen && place === 'over';

  const close = useCallback((): void => {
    changeView({ isPaneOpen: false });
    // A covered element cannot have the focus until it is shown again.
    requestAnimationFrame(focusContent);
  }, [changeView]);
  usePaneKeys(body, isOpen, close);

  // The focus must not stay on covered content, nor go there by the click that opened the details.
  const wasCovered = useRef(isCovered);
  useEffect(() => {
    if (isCovered && !wasCovered.current) {
      requestAnimationFrame(() => {
        const { activeElement } = document;
        if (body.current !== null && (activeElement === document.body || activeElement?.closest('main'))) {
          panelsOf(body.current)[0]?.focus();
        }
      });
    }
    wasCovered.current = isCovered;
  }, [isCovered]);

  const hasColumn = column !== undefined && isOpen;
  return (
    <div className={`body body--${isOpen ? place : 'closed'}`} ref={body}>
      <main className="main" inert={isCovered} style={{ minHeight: leastHeight }}>
        <div className="tools" ref={toolbar}>
          {tools}
        </div>
        <ContentSize value={sizeWithDetails}>{content}</ContentSize>
      </main>
      <Pane
        id="details-pane"
        name={words.details}
        size={details}
        isMain={isCovered}
        isBeside={place === 'beside'}
        isOpen={isOpen}
        tabs={hasColumn ? panels.filter(name => !isInColumn(name)) : panels}
        selected={hasColumn && isInColumn(panel) ? 'block' : panel}
        parts={parts}
        onSelect={id => changeView({ panel: id })}
        onClose={close}
      />
      {hasColumn && (
        <Pane
          id="column-pane"
          name={words.column}
          size={column}
          isMain={false}
          isBeside
          isOpen
          tabs={columnPanels}
          selected={columnPanel}
          parts={parts}
          onSelect={id => changeView({ column: id })}
        />
      )}
    </div>
  );
}

const panelsOf = (body: HTMLElement): readonly HTMLElement[] => [
  ...body.querySelectorAll<HTMLElement>('[role=tabpanel]'),
];

/** F6 moves from the main content through the panes and back. Escape closes the details, or clears the selection. */
function usePaneKeys(
  body: { readonly current: HTMLElement | null },
  isOpen: boolean,
  close: () => void,
): void {
  const { changeView } = useInspector();
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const { current } = body;
      const { activeElement } = document;
      if (current === null || event.defaultPrevented || event.shiftKey) {
        return;
      }
      const name = keyIn('page', event);
      if (name === 'nextPane' && isOpen) {
        event.preventDefault();
        // Otherwise VS Code would also move to its next part.
        event.stopPropagation();
        const stops = panelsOf(current);
        const place = stops.findIndex(stop => stop.closest('.pane')?.contains(activeElement));
        const next = stops[place + 1];
        if (next === undefined) {
          focusContent();
        } else {
          next.focus();
        }
      } else if (name === 'close' && current.contains(activeElement)) {
        if (isOpen) {
          close();
        } else {
          changeView({ block: undefined });
        }
      }
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [body, isOpen, close, changeView]);
}

function Pane<Name extends Panel>({
  id,
  name,
  size,
  isMain,
  isBeside,
  isOpen,
  tabs,
  selected,
  parts,
  onSelect,
  onClose,
}: {
  readonly id: string;
  readonly name: string;
  /** Absent for a pane that cannot be resized. */
  readonly size: PaneSize | undefined;
  /** True if it covers the main part and is therefore the page's main content. */
  readonly isMain: boolean;
  readonly isBeside: boolean;
  readonly isOpen: boolean;
  readonly tabs: readonly Name[];
  readonly selected: Name;
  readonly parts: RequestParts;
  readonly onSelect: (name: Name) => void;
  /** Absent for a pane that closes together with another one. */
  readonly onClose?: () => void;
}) {
  const { changeView, store } = useInspector();
  const style =
    size === undefined || !isOpen ? {} : isBeside ? { width: size.value } : { height: size.value };
  return (
    <div id={id} className="pane" role={isMain ? 'main' : 'complementary'} aria-label={name} style={style}>
      {size !== undefined && isOpen && (
        <Splitter
          name={words.resize(name)}
          controls={id}
          isBeside={isBeside}
          size={size}
          onResize={value => changeView({ paneSizes: { ...store.get().view.paneSizes, [size.name]: value } })}
        />
      )}
      <Tabs
        name={words.panels(name)}
        selected={selected}
        isOpen={isOpen}
        tabs={tabs.map(tab => ({
          id: tab,
          label: panelWords[tab],
          hint: panelHints[tab],
          content: <PanelContent panel={tab} parts={parts} />,
        }))}
        onSelect={onSelect}
        actions={
          onClose !== undefined &&
          (isOpen ? (
            <Button appearance="icon" name={words.close} onPress={onClose}>
              ✕
            </Button>
          ) : (
            <Button appearance="icon" name={words.open} onPress={() => changeView({ isPaneOpen: true })}>
              <span className="chevron chevron--up" />
            </Button>
          ))
        }
      />
    </div>
  );
}

function PanelContent({ panel, parts }: { readonly panel: Panel; readonly parts: RequestParts }) {
  switch (panel) {
    case 'block':
      return <BlockDetails {...parts} />;
    case 'cache':
      return <CachePanel {...parts} />;
    case 'prune':
      return <PrunePanel {...parts} />;
    case 'waste':
      return <WastePanel {...parts} />;
    case 'model':
      return <ModelPanel {...parts} />;
    case 'rendered':
      return <RenderedPanel {...parts} />;
  }
}
