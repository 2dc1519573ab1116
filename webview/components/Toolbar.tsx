import { at } from '../../src/core/base/numbers';
import { kindWords, sensitivityWords } from '../../src/core/drawing/drawingWords';
import { colourModes } from '../../src/core/drawing/palette';
import { type BlockKind, blockKinds } from '../../src/core/model/block';
import type { SessionColumns } from '../../src/core/model/columns';
import { type SensitivityLabel, sensitivityLabels } from '../../src/core/model/labels';
import type { RequestView } from '../../src/core/view/requestView';
import { Button } from '../controls/Button';
import { Dropdown, optionsOf } from '../controls/Dropdown';
import { Segments } from '../controls/Segments';
import { hasCompactions } from '../state/compaction';
import { isFiltering } from '../state/derived';
import { useInspector, useViewState } from '../state/inspector';
import type { RequestParts } from '../state/requestParts';
import { memoise } from '../state/store';
import { type Filter, type Verdict, mainViews, verdicts } from '../state/viewState';
import { mainViewWords, modeWords } from '../words/page';
import { columnWords, toolbarWords as words, verdictWords } from '../words/views';
import { FindBar } from './FindBar';

const any = '';

/** The kinds of a request's blocks, as indices into blockKinds. */
const kindsIn = memoise((columns: SessionColumns, view: RequestView): ReadonlySet<number> => {
  const kinds = new Set<number>();
  for (const block of view.blocks) {
    kinds.add(at(columns.blocks.kind, block));
  }
  return kinds;
});

/** The choice of view and colours, the filter of blocks, and the export. */
export function Toolbar({ summary, columns, view, shownCount }: RequestParts) {
  const { changeView, exportView } = useInspector();
  const mainView = useViewState('mainView');
  const mode = useViewState('colourMode');
  const filter = useViewState('filter');
  const change = (part: Partial<Filter>): void => changeView({ filter: { ...filter, ...part } });
  const isCompacted = hasCompactions(summary, at(columns.requests.thread, view.request));
  const kinds = mainView === 'table' ? kindsIn(columns, view) : undefined;
  return (
    <div className="toolbar row" role="group" aria-label={words.view}>
      <Segments
        name={words.view}
        value={mainView}
        options={optionsOf(
          mainViews.filter(value => value !== 'compaction' || value === mainView || isCompacted),
          mainViewWords,
        )}
        onChange={value => changeView({ mainView: value })}
      />
      {mainView === 'layout' && (
        <Segments
          name={words.colours}
          value={mode}
          options={optionsOf(colourModes, modeWords)}
          onChange={value => changeView({ colourMode: value })}
        />
      )}
      <FindBar columns={columns} view={view} />
      <Button onPress={() => exportView('html')}>{words.exportReport}</Button>
      {mainView === 'table' && (
        <>
          <Dropdown<BlockKind | typeof any>
            name={columnWords.kind}
            value={filter.kind ?? any}
            options={[
              { value: any, label: words.anyKind },
              ...optionsOf(
                blockKinds.filter((kind, index) => kinds?.has(index) === true || filter.kind === kind),
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
      )}
      {mainView !== 'compaction' && isFiltering(filter, undefined) && (
        <>
          <span className="toolbar__matches muted small" role="status">
            {words.matches(shownCount, view.blocks.length)}
          </span>
          <Button appearance="icon" name={words.clearFilter} onPress={() => changeView({ filter: {} })}>
            ✕
          </Button>
        </>
      )}
    </div>
  );
}
