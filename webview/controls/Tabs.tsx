import { VSCodePanels, VSCodePanelTab, VSCodePanelView } from '@vscode/webview-ui-toolkit/react';
import type { ReactNode } from 'react';

export interface TabsProps<Id extends string> {
  readonly name: string;
  readonly selected: Id;
  readonly tabs: readonly { readonly id: Id; readonly label: string; readonly content: ReactNode }[];
  readonly onSelect: (id: Id) => void;
}

/** Tabs with panels; only the selected panel is rendered. */
export function Tabs<Id extends string>({ name, selected, tabs, onSelect }: TabsProps<Id>) {
  return (
    <VSCodePanels
      className="tabs"
      aria-label={name}
      activeid={`tab-${selected}`}
      onChange={({ target }) => {
        const active = target !== null && 'activeid' in target ? target.activeid : undefined;
        const chosen = tabs.find(({ id }) => active === `tab-${id}`);
        if (chosen !== undefined && chosen.id !== selected) {
          onSelect(chosen.id);
        }
      }}
    >
      {tabs.map(({ id, label }) => (
        <VSCodePanelTab key={id} id={`tab-${id}`}>
          {label}
        </VSCodePanelTab>
      ))}
      {tabs.map(({ id, content }) => (
        <VSCodePanelView key={id} id={`view-${id}`} className="tabs__view">
          {id === selected ? content : undefined}
        </VSCodePanelView>
      ))}
    </VSCodePanels>
  );
}
