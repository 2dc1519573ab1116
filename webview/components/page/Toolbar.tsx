import { useRef } from 'react';
import { formatNumber } from '../../../src/core/base/format';
import { at } from '../../../src/core/base/numbers';
import { kindWords, sensitivityWords, sourceWords } from '../../../src/core/drawing/drawingWords';
import { sourceIcons } from '../../../src/core/drawing/icons';
import { zoomedRowTokens } from '../../../src/core/drawing/rowTokens';
import { colourModes } from '../../../src/core/drawing/palette';
import { type BlockKind, blockKinds } from '../../../src/core/model/block';
import type { SessionColumns } from '../../../src/core/model/columns';
import { exportForms } from '../../../src/core/model/exportForm';
import { type SensitivityLabel, sensitivityLabels } from '../../../src/core/model/labels';
import type { RequestView } from '../../../src/core/view/requestView';
import { Button } from '../../controls/Button';
import { Choices } from '../../controls/Choices';
import { Dropdown, optionsOf } from '../../controls/Dropdown';
import { Menu } from '../../controls/Menu';
import { useSize } from '../../drawing/canvasHooks';
import { fullName, iconOf } from '../../state/breakdown';
import { hasCompactions } from '../../state/compaction';
import { isFiltering, laneBlocksInView } from '../../state/derived';
import { useAppState, useInspector, useViewState } from '../../state/inspector';
import { focusContent } from '../../state/panes';
import type { RequestInView, RequestParts } from '../../state/requestParts';
import { memoise } from '../../state/store';
import {
  conversationParts,
  type Filter,
  type MainView,
  mainViews,
  type Verdict,
  verdicts,
} from '../../state/viewState';
import { conversationWords } from '../../words/conversation';
import { mainViewWords, modeWords } from '../../words/page';
import { columnWords, toolbarWords as words, verdictWords } from '../../words/views';
import { BreakdownTools } from '../breakdown/BreakdownTools';
import { FindBar } from './FindBar';
import { Icon } from '../common/Icon';
import { Legend } from '../lanes/Legend';

const any = '';

/** The kinds of a request's blocks, as indices into blockKinds. */
const kindsIn = memoise((columns: SessionColumns, view: RequestView): ReadonlySet<number> => {
  const kinds = new Set<number>();
  for (const block of view.blocks) {
    kinds.add(at(columns.blocks.kind, block));
  }
  return kinds;
});

/** Below this width, view and colours are one menu. */
const narrow = 560;
/** Below this width, the filters of the table are one menu. */
const roomy = 1000;

/** The choice of view and colours, the filter of blocks, the zoom, and the exports. */
export function Toolbar(parts: RequestParts) {
  const { summary, columns, view, shownCount, lit } = parts;
  const { changeView, exportView } = useInspector();
  const toolbar = useRef<HTMLDivElement>(null);
  const { width } = useSize(toolbar);
  const mainView = useViewState('mainView');
  const filter = useViewState('filter');
  const { source, ...others } = filter;
  const isCompacted = hasCompactions(summary, at(columns.requests.thread, view.request));
  const isNarrow = width > 0 && width < narrow;
  const views = optionsOf(
    mainViews.filter(
      value =>
        value === mainView || (value === 'compaction' ? isCompacted : value !== 'comparison' || isNarrow),
    ),
    mainViewWords,
  );
  const chooseView = (value: MainView): void => changeView({ mainView: value });
  return (
    <div className="toolbar row wraps" role="group" aria-label={words.view} ref={toolbar}>
      {isNarrow ? (
        <Menu
          name={words.viewAndColours(mainViewWords[mainView])}
          label={<Chosen value={mainViewWords[mainView]} />}
        >
          {() => (
            <>
              <Choices name={words.view} value={mainView} options={views} onChange={chooseView} />
              {mainView === 'layout' && <ColourChoices />}
            </>
          )}
        </Menu>
      ) : (
        <>
          <Choices isRow name={words.view} value={mainView} options={views} onChange={chooseView} />
          {mainView === 'layout' && <ColourMenu />}
        </>
      )}
      {mainView === 'breakdown' ? <BreakdownTools {...parts} /> : <FindBar columns={columns} view={view} />}
      {mainView === 'conversation' && <ShownPart />}
      {mainView === 'table' && <TableFilters {...parts} isFolded={width > 0 && width < roomy} />}
      {(mainView === 'layout' || mainView === 'table') &&
        (lit !== undefined || isFiltering(filter, undefined)) && (
          <>
            {lit !== undefined && (
              <FilterChip
                icon={iconOf(lit.tree, columns, lit.node)}
                label={fullName(lit.tree, columns, lit.node)}
                onRemove={() => changeView({ part: undefined })}
              />
            )}
            {source !== undefined && (
              <FilterChip
                icon={sourceIcons[source]}
                label={sourceWords[source]}
                onRemove={() => changeView({ filter: others })}
              />
            )}
            <Matches shown={shownCount} all={view.blocks.length} />
            {isFiltering(others, undefined) && (
              <Button appearance="icon" name={words.clearFilter} onPress={() => changeView({ filter: {} })}>
                ✕
              </Button>
            )}
          </>
        )}
      {mainView === 'layout' && <Zoom columns={columns} view={view} />}
      <Menu isBare name={words.more} label="⋯">
        {close => (
          <ul>
            {exportForms.map(form => (
              <li key={form}>
                <button
                  type="button"
                  className="menu__entry choice list-line bare"
                  onClick={() => {
                    close();
                    exportView(form);
                  }}
                >
                  {words.exports[form]}
                </button>
              </li>
            ))}
          </ul>
        )}
      </Menu>
    </div>
  );
}

/** The filters of the table by kind, sensitivity and pruning; in a menu if `isFolded`. */
function TableFilters({ columns, view, isFolded }: RequestInView & { readonly isFolded: boolean }) {
  const { changeView } = useInspector();
  const filter = useViewState('filter');
  const change = (part: Partial<Filter>): void => changeView({ filter: { ...filter, ...part } });
  const kinds = kindsIn(columns, view);
  const dropdowns = (
    <>
      <Dropdown<BlockKind | typeof any>
        name={columnWords.kind}
        value={filter.kind ?? any}
        options={[
          { value: any, label: words.anyKind },
          ...optionsOf(
            blockKinds.filter((kind, index) => kinds.has(index) || filter.kind === kind),
            kindWords,
          ),
        ]}
        onChange={kind => change({ kind: kind === any ? undefined : kind })}
      />
      <Dropdown<SensitivityLabel | typeof any>
        name={columnWords.sensitivity}
        value={filter.sensitivity ?? any}
        options={[
          { value: any, label: words.anySensitivity },
          ...optionsOf(sensitivityLabels, sensitivityWords),
        ]}
        onChange={value => change({ sensitivity: value === any ? undefined : value })}
      />
      <Dropdown<Verdict | typeof any>
        name={words.verdict}
        value={filter.verdict ?? any}
        options={[{ value: any, label: words.anyVerdict }, ...optionsOf(verdicts, verdictWords)]}
        onChange={value => change({ verdict: value === any ? undefined : value })}
      />
    </>
  );
  if (!isFolded) {
    return dropdowns;
  }
  const count = [filter.kind, filter.sensitivity, filter.verdict].filter(value => value !== undefined).length;
  const name = count === 0 ? words.filters : words.filtersSet(count);
  return (
    <Menu name={name} label={<Chosen value={name} />}>
      {() => dropdowns}
    </Menu>
  );
}

/** How many blocks the filter shows; without words, and without the number of all blocks, where there is little room. */
function Matches({ shown, all }: { readonly shown: number; readonly all: number }) {
  const text = words.matches(shown, all);
  return (
    <span className="toolbar__matches muted small unbroken tabular" role="status" title={text}>
      <span className="toolbar__long">{text}</span>
      <span className="toolbar__short">{formatNumber(shown)}</span>
    </span>
  );
}

/** The filter in use: the source whose blocks are shown, chosen in the window bar, or the part of the breakdown. */
function FilterChip({
  icon,
  label,
  onRemove,
}: {
  readonly icon: string;
  readonly label: string;
  readonly onRemove: () => void;
}) {
  const name = words.removeFilter(label);
  return (
    <button
      type="button"
      className="pill pill--source bare row rigid small"
      aria-label={name}
      title={name}
      onClick={() => {
        onRemove();
        // The button disappears and would take the focus with it.
        focusContent();
      }}
    >
      <Icon icon={icon} size={12} /> <span className="pill__name ellipsis">{label}</span>{' '}
      <span aria-hidden="true">✕</span>
    </button>
  );
}

/** The chosen value of a menu, after the menu's name. */
function Chosen({ name, value }: { readonly name?: string; readonly value: string }) {
  return (
    <>
      {name !== undefined && <span className="toolbar__name muted">{name}</span>} {value}{' '}
      <span className="menu__arrow" aria-hidden="true" />
    </>
  );
}

/** The choice of the messages that the conversation shows. */
function ShownPart() {
  const { changeView } = useInspector();
  return (
    <Dropdown
      name={conversationWords.show}
      value={useViewState('conversationPart')}
      options={optionsOf(conversationParts, conversationWords.parts)}
      onChange={conversationPart => changeView({ conversationPart })}
    />
  );
}

function ColourMenu() {
  const mode = useViewState('colourMode');
  return (
    <Menu
      name={words.coloursBy(modeWords[mode])}
      label={<Chosen name={words.colours} value={modeWords[mode]} />}
    >
      {() => <ColourChoices />}
    </Menu>
  );
}

/** The colour modes, and the meaning of the chosen mode's colours. */
function ColourChoices() {
  const { chooseColours } = useInspector();
  const mode = useViewState('colourMode');
  return (
    <>
      <Choices
        name={words.colours}
        value={mode}
        options={optionsOf(colourModes, modeWords)}
        onChange={chooseColours}
      />
      <Legend />
    </>
  );
}

function Zoom({ columns, view }: RequestInView) {
  const { changeView, fitScale } = useInspector();
  const scale = useAppState(state => state.scale);
  const wanted = useViewState('rowTokens');
  const rowTokens = wanted ?? scale?.rowTokens;
  if (rowTokens === undefined) {
    return undefined;
  }
  const zoom = (step: 'in' | 'out') => (): void =>
    changeView({ rowTokens: zoomedRowTokens(laneBlocksInView(columns, view), rowTokens, step) });
  return (
    <div className="toolbar__zoom row rigid gap-2 end">
      <button
        type="button"
        className="toolbar__row bare pressable small unbroken tabular"
        title={words.rowHint}
        onClick={fitScale}
      >
        {words.row(rowTokens)}
      </button>
      <span className="toolbar__outgrown small muted unbroken" role="status">
        {wanted === undefined && scale?.outgrown !== undefined && (
          <span title={words.outgrownHint(scale.outgrown)}>{words.outgrown(scale.outgrown)}</span>
        )}
      </span>
      <Button appearance="icon" name={words.zoomOut} onPress={zoom('out')}>
        −
      </Button>
      <Button appearance="icon" name={words.zoomIn} onPress={zoom('in')}>
        +
      </Button>
    </div>
  );
}
