import type { ReactNode } from 'react';
import { ShowMore, useShown } from './ShowMore';

export interface Choice {
  readonly key: string | number;
  /** A number before the name. */
  readonly place?: string;
  readonly name: ReactNode;
  readonly figure: string;
  readonly isChosen?: boolean;
  readonly choose: () => void;
}

/** Selectable entries, each with a name and a figure. A long list is shown in parts. */
export function ChoiceList<Entry>({
  entries,
  pageLength,
  choiceOf,
}: {
  readonly entries: readonly Entry[];
  readonly pageLength?: number | undefined;
  /** Called for the visible entries. */
  readonly choiceOf: (entry: Entry) => Choice;
}) {
  const { shown, left, showMore } = useShown(entries, pageLength);
  return (
    <>
      <ul className="block-list">
        {shown.map(choiceOf).map(({ key, place, name, figure, isChosen, choose }) => (
          <li key={key}>
            <button
              type="button"
              className={`block-list__entry choice list-line bare${place === undefined ? ' block-list__entry--wide' : ''}`}
              aria-pressed={isChosen}
              onClick={choose}
            >
              {place !== undefined && <span className="block-list__place numeric">{place}</span>}
              <span className="ellipsis">{name}</span>
              <span className="numeric">{figure}</span>
            </button>
          </li>
        ))}
      </ul>
      <ShowMore left={left} onPress={showMore} />
    </>
  );
}
