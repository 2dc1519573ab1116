import { useMemo } from 'react';
import { at } from '../../../src/core/base/numbers';
import { partitionWords } from '../../../src/core/drawing/drawingWords';
import { iconOfBlock } from '../../../src/core/drawing/icons';
import { blockName, blockWords } from '../../../src/core/drawing/laneContent';
import { blockKinds } from '../../../src/core/model/block';
import { kindOf } from '../../../src/core/model/blockWords';
import { sensitivityLabels } from '../../../src/core/model/labels';
import { sources } from '../../../src/core/model/source';
import { figureNumber } from '../../../src/core/tokens/qualityWords';
import {
  departureWords,
  jumpSentence,
  notRecordedParts,
  ownWords,
} from '../../../src/core/view/notRecordedParts';
import { blockSources } from '../../../src/core/view/sourceSums';
import { IconButton } from '../../controls/IconButton';
import { positionOf } from '../../state/derived';
import { useInspector, useViewState } from '../../state/inspector';
import type { RequestParts } from '../../state/requestParts';
import { openSubagent } from '../../state/threads';
import { notRecordedBlock } from '../../state/viewState';
import { detailWords as words } from '../../words/block';
import { factWords } from '../../words/details';
import { pageWords } from '../../words/page';
import { placeWords } from '../../words/place';
import { columnWords } from '../../words/views';
import { BlockFacts } from './BlockFacts';
import { BlockImage } from './BlockImage';
import { BlockList } from '../common/BlockList';
import { BlockTextView } from './BlockTextView';
import { Fact, Facts } from '../common/Facts';
import { Icon } from '../common/Icon';
import { Overview } from '../page/Overview';
import { lookOf } from '../reading/FormattedText';
import { Quality } from '../common/Quality';
import { SightLines } from '../waste/SightLines';
import { Sign } from '../common/Sign';

/** The facts and the text of a block: side by side if there is space, below each other in a side column. */
export function BlockDetails(parts: RequestParts) {
  const block = useViewState('block');
  const isKnown = block !== undefined && block < parts.columns.blocks.role.length;
  return (
    <div className="block-details" id="block-details" tabIndex={-1} data-testid="block-details">
      {!isKnown ? (
        <div className="panel stack gap-12">
          <h2 className="panel-title">{words.none}</h2>
          <p className="muted">{words.noneHint}</p>
          <Overview {...parts} />
        </div>
      ) : block === notRecordedBlock ? (
        <div className="panel stack gap-12">
          <NotRecorded {...parts} />
        </div>
      ) : (
        <Details key={block} {...parts} block={block} />
      )}
    </div>
  );
}

/** Maximum number of listed blocks that left. */
const longestList = 20;

function NotRecorded({ columns, summary, view }: RequestParts) {
  const { low, high } = view.notRecorded;
  const parts = notRecordedParts(columns, summary, view);
  const finding = jumpSentence(parts);
  return (
    <>
      <h2 className="panel-name breaks">{pageWords.notRecordedName}</h2>
      <Facts>
        <Fact name={columnWords.tokens}>
          {figureNumber(view.notRecorded)} <Quality {...view.notRecorded} />
        </Fact>
        <Fact name={words.notRecordedRange}>{words.range(low, high)}</Fact>
        <Fact name={columnWords.partition}>{partitionWords.system}</Fact>
      </Facts>
      {ownWords(parts).map(part => (
        <p key={part} className="prose" data-testid="not-recorded-part">
          {part}
        </p>
      ))}
      {finding !== undefined && (
        <p className="prose" data-testid="jump">
          {finding}
        </p>
      )}
      <p className="prose">{words.notRecordedText}</p>
      {parts.left.map(({ departure, blocks }) => (
        <BlockList
          key={departure}
          title={departureWords[departure]}
          columns={columns}
          view={view}
          entries={blocks
            .slice(0, longestList)
            .map(block => ({ block, tokens: at(columns.blocks.tokens, block) }))}
        />
      ))}
    </>
  );
}

interface BlockInView extends RequestParts {
  readonly block: number;
}

function Details(props: BlockInView) {
  const { columns, view, block } = props;
  const { blocks } = columns;
  const look = useMemo(() => lookOf(columns, block), [columns, block]);
  const isImage = blockKinds[at(blocks.kind, block)] === 'image';
  const position = positionOf(columns, view, block);
  const own = blockWords(columns, block);
  return (
    <div className="block-details__block">
      <div className="block-details__top stack gap-4">
        <div className="block-details__head row wraps shrinks">
          <Icon
            icon={iconOfBlock(kindOf(blocks, block), sources[at(blockSources(columns), block)] ?? 'tools')}
          />
          <h2 className="panel-name strong shrinks ellipsis" title={blockName(columns, block)}>
            {blockName(columns, block)}
          </h2>
          <p className="block-details__chips row wraps gap-4 shrinks">
            <SensitivityChip columns={columns} block={block} />
            <span className="chip row gap-4 fine ellipsis">
              {position === undefined ? words.notInRequest : words.title(position + 1)} · {own.kind}
            </span>
            {at(blocks.firstRequest, block) === view.request && (
              <span className="chip row gap-4 fine unbroken">{factWords.newHere}</span>
            )}
          </p>
          <Actions {...props} />
        </div>
        <SightLines columns={columns} block={block} />
      </div>
      <BlockFacts {...props} />
      {isImage ? (
        <BlockImage block={block} />
      ) : (
        <BlockTextView
          block={block}
          look={look}
          findings={at(blocks.findings, block)}
          characters={at(blocks.characters, block)}
        />
      )}
    </div>
  );
}

/** The number of findings, with the sign of the highest label. */
function SensitivityChip({ columns: { blocks }, block }: Pick<BlockInView, 'columns' | 'block'>) {
  const sensitivity = at(blocks.sensitivity, block);
  const label = sensitivityLabels[sensitivity] ?? 'public';
  const findings = at(blocks.findings, block);
  return label === 'public' ? null : (
    <span className={`chip row gap-4 fine unbroken chip--${label}`}>
      <Sign sensitivity={sensitivity} /> {factWords.sensitive[label](findings)}
    </span>
  );
}

/** The links of a block. */
function Actions({ summary, columns, view, block }: BlockInView) {
  const inspector = useInspector();
  const { act, changeView } = inspector;
  const { blocks, strings: texts } = columns;
  const isCall = blockKinds[at(blocks.kind, block)] === 'toolCall';
  const pair = at(blocks.pair, block);
  const callId = texts.at(at(blocks.callId, block)) ?? '';
  const subagent =
    isCall && callId !== '' ? summary.subagents.find(candidate => candidate.callId === callId) : undefined;
  const hasPath = at(blocks.path, block) !== 0;
  return (
    <div className="block-details__actions row gap-2">
      <IconButton
        icon="openLine"
        name={words.goToLine(at(blocks.line, block))}
        onPress={() => act({ kind: 'revealSource', block })}
      />
      {pair >= 0 && (
        <IconButton
          icon="goTo"
          name={isCall ? words.goToResult : words.goToCall}
          onPress={() => changeView({ block: pair })}
        />
      )}
      {subagent !== undefined && (
        <IconButton
          icon="subagent"
          name={words.openSubagent}
          onPress={() => openSubagent(inspector, columns, subagent)}
        />
      )}
      {hasPath && (
        <IconButton icon="openFile" name={words.openFile} onPress={() => act({ kind: 'openPath', block })} />
      )}
      {positionOf(columns, view, block) !== undefined && (
        <IconButton icon="link" name={placeWords.copyLink} onPress={inspector.copyLink} />
      )}
    </div>
  );
}
