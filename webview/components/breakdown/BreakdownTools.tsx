import { useEffect } from 'react';
import { at } from '../../../src/core/base/numbers';
import { breakdownGroupings } from '../../../src/core/breakdown/breakdownKinds';
import { type BreakdownTree, kindOfNode } from '../../../src/core/breakdown/breakdownTree';
import type { PartValue } from '../../../src/core/breakdown/requestValues';
import { nodesTo, pathTo } from '../../../src/core/breakdown/parts';
import type { SessionColumns } from '../../../src/core/model/columns';
import { Choices } from '../../controls/Choices';
import { Dropdown, optionsOf } from '../../controls/Dropdown';
import { IconButton } from '../../controls/IconButton';
import { SearchList, type SearchOption } from '../../controls/SearchList';
import {
  figuresIn,
  formatMeasure,
  fullName,
  nameOf,
  selectNode,
  useBreakdownTree,
  useBreakdownView,
  valuesOf,
} from '../../state/breakdown';
import { requestsInView } from '../../state/derived';
import { useAppState, useInspector } from '../../state/inspector';
import { findAreaId, focusFind } from '../../state/keys';
import { focusContent } from '../../state/panes';
import type { RequestParts } from '../../state/requestParts';
import { memoise } from '../../state/store';
import { type BreakdownMeasure, breakdownMeasures, breakdownScopes } from '../../state/viewState';
import { breakdownWords as words } from '../../words/breakdown';

/** Groups whose blocks have names of their own. */
const namedBlocks = ['skills', 'memory', 'subagents', 'media'];

/** The searchable parts, the largest first: all except the blocks of tools and files. */
const optionsIn = memoise(
  (
    tree: BreakdownTree,
    columns: SessionColumns,
    valueAt: PartValue,
    measure: BreakdownMeasure,
  ): readonly SearchOption[] => {
    const nodes: number[] = [];
    for (let node = 1; node < tree.count; node += 1) {
      const isNamed =
        at(tree.block, node) < 0 || namedBlocks.includes(kindOfNode(tree, at(tree.parent, node)));
      if (isNamed && valueAt(node) > 0) {
        nodes.push(node);
      }
    }
    return nodes
      .sort((one, other) => valueAt(other) - valueAt(one))
      .map(node => {
        const [group = node] = nodesTo(tree, node);
        const figure = formatMeasure(measure, valueAt(node));
        return {
          value: String(node),
          label: fullName(tree, columns, node),
          detail: group === node ? figure : `${nameOf(tree, columns, group)} · ${figure}`,
        };
      });
  },
);

/** The measure, the counted requests, the grouping, the search for a part, and the table. */
export function BreakdownTools(parts: RequestParts) {
  const { columns, summary, view } = parts;
  const inspector = useInspector();
  const [{ measure, scope, grouping, isTable }, choose] = useBreakdownView(inspector);
  const tree = useBreakdownTree(parts, true);
  const inView = useAppState(state => requestsInView(columns, state.view).length);
  useFindKey();
  const figures = tree && figuresIn(tree, columns, summary, scope, view.request);
  const hasPrices = figures?.hasPrices !== false;
  const shownMeasure = measure === 'money' && !hasPrices ? 'carried' : measure;
  return (
    <>
      <Choices
        isRow
        name={words.measure}
        value={shownMeasure}
        options={optionsOf(
          breakdownMeasures.filter(name => name !== 'money' || hasPrices),
          words.measures,
        ).map(option => ({ ...option, hint: words.measureHints[option.value] }))}
        onChange={value => choose({ measure: value })}
      />
      <Dropdown
        name={words.scope}
        value={scope}
        options={optionsOf(breakdownScopes, words.scopes(tree?.requests ?? inView))}
        onChange={value => choose({ scope: value })}
      />
      <Dropdown
        name={words.grouping}
        value={grouping}
        options={optionsOf(breakdownGroupings, words.groupings)}
        onChange={value => choose({ grouping: value })}
      />
      <div id={findAreaId} className="breakdown__find">
        <SearchList
          name={words.find}
          value=""
          options={() =>
            tree === undefined || figures === undefined
              ? []
              : optionsIn(tree, columns, valuesOf(figures, shownMeasure), shownMeasure)
          }
          empty={words.noneFound}
          more={words.moreFound}
          onChange={value => {
            if (tree !== undefined) {
              const node = Number(value);
              choose({ root: pathTo(tree, at(tree.parent, node)) });
              selectNode(inspector, tree, node);
              requestAnimationFrame(focusContent);
            }
          }}
        />
      </div>
      <IconButton
        icon="table"
        name={words.showTable}
        isPressed={isTable}
        onPress={() => choose({ isTable: !isTable })}
      />
    </>
  );
}

/** Ctrl+F and ⌘F go to the search for a part. */
function useFindKey(): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      const { key, ctrlKey, metaKey, altKey, shiftKey } = event;
      if (key.toLowerCase() === 'f' && (ctrlKey || metaKey) && !altKey && !shiftKey) {
        // VS Code listens above the document, and would open its own search.
        event.preventDefault();
        event.stopPropagation();
        focusFind();
      }
    };
    document.addEventListener('keydown', onKeyDown, { capture: true });
    return () => document.removeEventListener('keydown', onKeyDown, { capture: true });
  }, []);
}
