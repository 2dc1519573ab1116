import type { SessionColumns } from '../../src/core/model/columns';
import type { RequestView } from '../../src/core/view/requestView';
import { useInspector } from '../state/inspector';
import { BlockRows, type BlockEntry } from './BlockRows';

export interface BlockListProps {
  readonly title: string;
  readonly columns: SessionColumns;
  readonly view: RequestView;
  readonly entries: readonly BlockEntry[];
}

/** Blocks of the request in view to choose from. */
export function BlockList({ title, columns, view, entries }: BlockListProps) {
  const { changeView } = useInspector();
  return (
    <section aria-label={title}>
      <h2 className="panel-title">{title}</h2>
      <BlockRows columns={columns} view={view} entries={entries} onChoose={block => changeView({ block })} />
    </section>
  );
}
