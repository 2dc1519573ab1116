import { useInspector } from '../../state/inspector';
import type { RequestInView } from '../../state/requestParts';
import { type BlockEntry, BlockRows } from './BlockRows';

export interface BlockListProps extends RequestInView {
  readonly title: string;
  readonly entries: readonly BlockEntry[];
}

/** A titled list of blocks of the request in view. */
export function BlockList({ title, columns, view, entries }: BlockListProps) {
  const { changeView } = useInspector();
  return (
    <section aria-label={title}>
      <h2 className="panel-title">{title}</h2>
      <BlockRows columns={columns} view={view} entries={entries} onChoose={block => changeView({ block })} />
    </section>
  );
}
