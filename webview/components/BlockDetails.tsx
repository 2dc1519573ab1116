import { formatBytes, formatDateTime, formatNumber } from '../../src/core/base/format';
import { at } from '../../src/core/base/numbers';
import { visibleLabel } from '../../src/core/base/visibleText';
import { partitionWords } from '../../src/core/drawing/drawingWords';
import { blockName, blockWords, isDisplaced, isFrozen } from '../../src/core/drawing/laneContent';
import { blockFlags, blockKinds } from '../../src/core/model/block';
import { hashDigits } from '../../src/core/model/contentHash';
import { sensitivityLabels } from '../../src/core/model/labels';
import { spanIdAt } from '../../src/core/view/requestView';
import { Button } from '../controls/Button';
import { Tag } from '../controls/Tag';
import { requestNumber } from '../state/cacheReport';
import { positionOf } from '../state/derived';
import { useInspector, useViewState } from '../state/inspector';
import type { RequestParts } from '../state/requestParts';
import { openSubagent } from '../state/threads';
import { notRecordedBlock } from '../state/viewState';
import { detailWords as words } from '../words/block';
import { pageWords } from '../words/page';
import { placeWords } from '../words/place';
import { keepWords } from '../words/prune';
import { columnWords, layoutWords } from '../words/views';
import { BlockTextView } from './BlockTextView';
import { Fact, Facts } from './Facts';
import { Overview } from './Overview';
import { Quality } from './Quality';
import { Sign } from './Sign';

export function BlockDetails(parts: RequestParts) {
  const block = useViewState('block');
  return (
    <div className="panel stack gap-12" id="block-details" tabIndex={-1} data-testid="block-details">
      {block === undefined || block >= parts.columns.blocks.role.length ? (
        <>
          <h2 className="panel-title">{words.none}</h2>
          <p className="muted">{words.noneHint}</p>
          <Overview {...parts} />
        </>
      ) : block === notRecordedBlock ? (
        <NotRecorded {...parts} />
      ) : (
        <Details key={block} {...parts} block={block} />
      )}
    </div>
  );
}

function NotRecorded({ view }: RequestParts) {
  const { value, low, high } = view.notRecorded;
  return (
    <>
      <h2 className="panel-title">{pageWords.notRecordedName}</h2>
      <Facts>
        <Fact name={columnWords.tokens}>
          {formatNumber(value)} <Quality {...view.notRecorded} />
        </Fact>
        <Fact name={words.notRecordedRange}>{words.range(low, high)}</Fact>
        <Fact name={columnWords.partition}>{partitionWords.system}</Fact>
      </Facts>
      <p className="prose">{words.notRecordedText}</p>
    </>
  );
}

function Details(props: RequestParts & { readonly block: number }) {
  const { summary, columns, view, block, prune } = props;
  const { blocks, strings: texts } = columns;
  const inspector = useInspector();
  const { act, changeView } = inspector;
  const position = positionOf(columns, view, block);
  const kind = blockKinds[at(blocks.kind, block)] ?? 'other';
  const text = (column: Uint32Array): string => visibleLabel(texts.at(at(column, block)) ?? '');
  const flags = at(blocks.flags, block);
  const pair = at(blocks.pair, block);
  const callId = texts.at(at(blocks.callId, block)) ?? '';
  const subagent =
    kind === 'toolCall' && callId !== ''
      ? summary.subagents.find(candidate => candidate.callId === callId)
      : undefined;
  const path = text(blocks.path);
  const tool = text(blocks.tool);
  const first = at(blocks.firstRequest, block);
  const count = at(blocks.requestCount, block);
  const sensitivity = at(blocks.sensitivity, block);
  const findings = at(blocks.findings, block);
  const decision = prune.decisionOf(block);
  const time = formatDateTime(at(blocks.timestamp, block));
  const own = blockWords(columns, block);
  const notes = [
    ...((flags & blockFlags.error) === 0 ? [] : [words.error]),
    ...((flags & blockFlags.cleared) === 0 ? [] : [words.cleared]),
    ...((flags & blockFlags.summary) === 0 ? [] : [words.summary]),
  ];
  return (
    <>
      <h2 className="panel-title">
        {position === undefined ? words.notInRequest : words.title(position + 1)} · {own.kind}
      </h2>
      <p className="panel-name title">{blockName(columns, block)}</p>
      <div className="panel-actions">
        <Button onPress={() => act({ kind: 'revealSource', block })}>
          {words.goToLine(at(blocks.line, block))}
        </Button>
        {pair >= 0 && (
          <Button onPress={() => changeView({ block: pair })}>
            {kind === 'toolCall' ? words.goToResult : words.goToCall}
          </Button>
        )}
        {subagent !== undefined && (
          <Button onPress={() => openSubagent(inspector, columns, subagent)}>{words.openSubagent}</Button>
        )}
        {path !== '' && <Button onPress={() => act({ kind: 'openPath', block })}>{words.openFile}</Button>}
        {position !== undefined && <Button onPress={inspector.copyLink}>{placeWords.copyLink}</Button>}
      </div>
      <Facts>
        <Fact name={columnWords.tokens}>
          <strong>
            {formatNumber(position === undefined ? at(blocks.tokens, block) : at(view.tokens, position))}
          </strong>{' '}
          {position === undefined ? (
            <Quality quality="estimated" />
          ) : (
            <Quality quality={view.quality} error={view.error} />
          )}
          {at(blocks.counted, block) === 0 && <span className="muted"> {words.uncounted}</span>}
        </Fact>
        <Fact name={words.origin}>
          {own.origin}
          {tool !== '' && <> · {tool}</>}
          {notes.length > 0 && <> · {notes.join(' · ')}</>}
        </Fact>
        {path !== '' && (
          <Fact name={words.path}>
            <span className="path">{path}</span>
          </Fact>
        )}
        <Fact name={columnWords.partition}>
          {own.slot}
          {position !== undefined && isDisplaced(columns, view, position) && (
            <span className="muted"> · {layoutWords.displaced(position + 1)}</span>
          )}
        </Fact>
        {position !== undefined && (
          <>
            <Fact name={columnWords.wire}>{words.wirePlace(position + 1, view.blocks.length)}</Fact>
            <Fact name={words.span}>
              <code className="code">{visibleLabel(spanIdAt(columns, view, position))}</code>
            </Fact>
            <Fact name={words.frozen}>
              {isFrozen(view, position) ? <Tag tone="ice">{words.frozenYes}</Tag> : words.frozenNo}
            </Fact>
          </>
        )}
        <Fact name={words.exposure}>
          {first < 0 ? words.neverSent : words.exposureText(count, requestNumber(columns, first))}
        </Fact>
        <Fact name={columnWords.sensitivity}>
          <span className={`sensitivity sensitivity--${sensitivityLabels[sensitivity] ?? 'public'}`}>
            <Sign sensitivity={sensitivity} /> {own.sensitivity}
          </span>
          {findings > 0 && <> · {words.findings(findings)}</>}
        </Fact>
        {decision !== undefined && (
          <Fact name={columnWords.verdict}>
            {decision.verdict === 'pruned'
              ? words.pruned(decision.tokensFreed)
              : words.keptFor(keepWords[decision.reason])}
          </Fact>
        )}
        <Fact name={words.size}>
          {kind === 'image'
            ? formatBytes(at(blocks.bytes, block))
            : `${words.characters(at(blocks.characters, block))} · ${formatBytes(at(blocks.bytes, block))}`}
        </Fact>
        {time !== '' && <Fact name={words.time}>{time}</Fact>}
        <Fact name={words.contentHash}>
          <code className="code">{hashDigits(blocks.hashHigh[block], blocks.hashLow[block])}</code>
        </Fact>
      </Facts>
      {kind === 'image' ? (
        <p className="prose">{words.image}</p>
      ) : (
        <BlockTextView block={block} findings={findings} characters={at(blocks.characters, block)} />
      )}
    </>
  );
}
