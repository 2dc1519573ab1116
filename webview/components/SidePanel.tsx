import { Tabs } from '../controls/Tabs';
import { useInspector, useViewState } from '../state/inspector';
import type { RequestParts } from '../state/requestParts';
import { panels } from '../state/viewState';
import { pageWords, panelWords } from '../words/page';
import { BlockDetails } from './BlockDetails';
import { CachePanel } from './CachePanel';
import { ModelPanel } from './ModelPanel';
import { PrunePanel } from './PrunePanel';
import { RenderedPanel } from './RenderedPanel';

export function SidePanel(parts: RequestParts) {
  const { changeView } = useInspector();
  const panel = useViewState('panel');
  const contents = {
    block: <BlockDetails {...parts} />,
    cache: <CachePanel {...parts} />,
    prune: <PrunePanel {...parts} />,
    model: <ModelPanel {...parts} />,
    rendered: <RenderedPanel {...parts} />,
  } as const;
  return (
    <aside className="side" aria-label={pageWords.details}>
      <Tabs
        name={pageWords.panels}
        selected={panel}
        tabs={panels.map(id => ({ id, label: panelWords[id], content: contents[id] }))}
        onSelect={id => changeView({ panel: id })}
      />
    </aside>
  );
}
