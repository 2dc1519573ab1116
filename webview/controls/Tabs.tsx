import { type KeyboardEvent, type ReactNode, useId } from 'react';

export interface TabsProps<Id extends string> {
  readonly name: string;
  readonly selected: Id;
  /** True if the selected tab's panel is shown. The tabs are always shown. */
  readonly isOpen: boolean;
  readonly tabs: readonly {
    readonly id: Id;
    readonly label: string;
    /** A tooltip. */
    readonly hint?: string | undefined;
    readonly content: ReactNode;
  }[];
  readonly onSelect: (id: Id) => void;
  /** The content at the end of the row of tabs. */
  readonly actions: ReactNode;
}

/** Tabs with panels; only the selected panel is rendered. The toolkit's tabs always show a panel. */
export function Tabs<Id extends string>({ name, selected, isOpen, tabs, onSelect, actions }: TabsProps<Id>) {
  const prefix = useId();
  const open = isOpen ? tabs.find(({ id }) => id === selected) : undefined;
  const onKeyDown = (event: KeyboardEvent, place: number): void => {
    const last = tabs.length - 1;
    const places: Readonly<Record<string, number>> = {
      ArrowLeft: place === 0 ? last : place - 1,
      ArrowRight: place === last ? 0 : place + 1,
      Home: 0,
      End: last,
    };
    const next = tabs[places[event.key] ?? -1];
    if (next !== undefined) {
      event.preventDefault();
      document.getElementById(`${prefix}-tab-${next.id}`)?.focus();
      // A closed pane stays closed until a tab is pressed.
      if (isOpen) {
        onSelect(next.id);
      }
    }
  };
  return (
    <>
      <div className="tabs row gap-4 shrinks">
        <div className="tabs__list row gap-0 grows slides" role="tablist" aria-label={name}>
          {tabs.map(({ id, label, hint }, place) => (
            <button
              key={id}
              id={`${prefix}-tab-${id}`}
              type="button"
              className="tabs__tab bare small unbroken"
              role="tab"
              title={hint}
              tabIndex={id === selected ? 0 : -1}
              aria-selected={id === open?.id}
              onClick={() => onSelect(id)}
              onKeyDown={event => onKeyDown(event, place)}
            >
              {label}
            </button>
          ))}
        </div>
        {actions}
      </div>
      {open !== undefined && (
        <div
          key={open.id}
          className="tabs__panel"
          role="tabpanel"
          tabIndex={0}
          aria-labelledby={`${prefix}-tab-${open.id}`}
        >
          {open.content}
        </div>
      )}
    </>
  );
}
