import { tokens } from '../../../src/core/base/countWords';
import { formatBytes, formatDateTime, formatMoney, formatNumber } from '../../../src/core/base/format';
import { at } from '../../../src/core/base/numbers';
import { visibleLabel } from '../../../src/core/base/visibleText';
import { sourceWords } from '../../../src/core/drawing/drawingWords';
import { blockWords, isDisplaced } from '../../../src/core/drawing/laneContent';
import { blockFlags, blockKinds } from '../../../src/core/model/block';
import type { SessionColumns, SessionSummary } from '../../../src/core/model/columns';
import { hashDigits } from '../../../src/core/model/contentHash';
import { sources } from '../../../src/core/model/source';
import { figureTokens } from '../../../src/core/tokens/qualityWords';
import { attributionText, repliedIn } from '../../../src/core/view/attribution';
import { blockExposure } from '../../../src/core/view/blockExposure';
import { frozenWords, receiverWords, sentWords, sinceWords } from '../../../src/core/exposure/exposureWords';
import { departureOf, departureWords } from '../../../src/core/view/notRecordedParts';
import { spanIdAt } from '../../../src/core/view/requestView';
import { blockSources } from '../../../src/core/view/sourceSums';
import { Link } from '../../controls/Link';
import { Tag } from '../../controls/Tag';
import { requestNumber } from '../../state/cacheReport';
import { positionOf } from '../../state/derived';
import { exposureOfBlock } from '../../state/exposure';
import { useAppState, useInspector } from '../../state/inspector';
import type { RequestParts } from '../../state/requestParts';
import { memoise } from '../../state/store';
import { detailWords } from '../../words/block';
import { factWords as words } from '../../words/details';
import { keepWords } from '../../words/prune';
import { columnWords, layoutWords } from '../../words/views';
import { Fact, Facts } from '../common/Facts';
import { Quality } from '../common/Quality';

const exposureOf = memoise(
  (columns: SessionColumns, models: SessionSummary['models'], block: number, request: number) =>
    blockExposure(columns, models, block, request),
  2,
);

/** The known facts about a block, in plain words. The technical terms are under "Technical". */
export function BlockFacts(props: RequestParts & { readonly block: number }) {
  const { summary, columns, view, block, prune } = props;
  const { blocks, strings: texts } = columns;
  const { act } = useInspector();
  const fileName = useAppState(({ page }) => (page.kind === 'session' ? page.session.fileName : ''));
  const position = positionOf(columns, view, block);
  const exposure = exposureOf(columns, summary.models, block, view.request);
  const sensitive = exposureOfBlock(columns, summary, block);
  const text = (column: Uint32Array): string => visibleLabel(texts.at(at(column, block)) ?? '');
  const flags = at(blocks.flags, block);
  const path = text(blocks.path);
  const tool = text(blocks.tool);
  const isImage = blockKinds[at(blocks.kind, block)] === 'image';
  const decision = prune.decisionOf(block);
  const left = at(blocks.leftAt, block);
  const attribution = attributionText(columns, repliedIn(columns, block));
  const from = [
    sourceWords[sources[at(blockSources(columns), block)] ?? 'tools'],
    ...(tool === '' ? [] : [tool]),
    ...((flags & blockFlags.error) === 0 ? [] : [detailWords.error]),
    ...((flags & blockFlags.cleared) === 0 ? [] : [detailWords.cleared]),
    ...((flags & blockFlags.summary) === 0 ? [] : [detailWords.summary]),
    ...((flags & blockFlags.inherited) === 0 ? [] : [detailWords.inherited]),
  ];
  return (
    <div className="block-facts stack gap-4">
      <Facts>
        <Fact name={words.size}>
          <strong>
            {position === undefined
              ? tokens(at(blocks.tokens, block))
              : figureTokens({ value: at(view.tokens, position), quality: view.quality, error: view.error })}
          </strong>{' '}
          {position === undefined ? (
            <Quality quality="estimated" />
          ) : (
            <Quality quality={view.quality} error={view.error} />
          )}
          {at(blocks.counted, block) === 0 && !isImage && (
            <span className="muted"> {detailWords.uncounted}</span>
          )}
        </Fact>
        <Fact name={words.from}>{from.join(' · ')}</Fact>
        {attribution !== '' && (
          <Fact name={words.attribution} term={words.attributionTerm}>
            {visibleLabel(attribution)}
          </Fact>
        )}
        {path !== '' && (
          <Fact name={words.path}>
            <span className="path ellipsis" title={path}>
              {path}
            </span>
          </Fact>
        )}
        {left >= 0 && left <= view.request && (
          <Fact name={words.left}>
            {words.leftAt(departureWords[departureOf(columns, block)], requestNumber(columns, left))}
          </Fact>
        )}
        <Fact name={words.sent}>
          {sensitive === undefined
            ? sentText(columns, exposure.requests)
            : [sentWords(sensitive), sinceWords(sensitive)].filter(part => part !== '').join('; ')}
        </Fact>
        {sensitive !== undefined && sensitive.requests > 0 && (
          <>
            <Fact name={words.exposedTo}>
              <span data-testid="exposure">{visibleLabel(receiverWords(sensitive))}</span>
            </Fact>
            <Fact name={words.frozen}>{frozenWords(sensitive)}</Fact>
          </>
        )}
        <Fact name={words.cached}>
          {exposure.cachedFrom === view.request ? (
            <Tag tone="ice">{words.cachedNow}</Tag>
          ) : exposure.cachedFrom === undefined ? (
            words.notCached
          ) : (
            words.cachedLater(requestNumber(columns, exposure.cachedFrom))
          )}
        </Fact>
        <Fact name={words.cost} term={words.costHint}>
          {exposure.cost === undefined ? words.costUnknown : formatMoney(exposure.cost)}
        </Fact>
        <Fact name={words.line}>
          <Link onPress={() => act({ kind: 'revealSource', block })}>
            {words.lineOf(at(blocks.line, block), visibleLabel(fileName))}
          </Link>
        </Fact>
        {decision !== undefined && (
          <Fact name={columnWords.verdict}>
            {decision.verdict === 'pruned'
              ? detailWords.pruned(decision.tokensFreed)
              : detailWords.keptFor(keepWords[decision.reason])}
          </Fact>
        )}
      </Facts>
      <Technical {...props} position={position} />
    </div>
  );
}

function sentText(columns: SessionColumns, requests: readonly number[]): string {
  const [first] = requests;
  const last = requests.at(-1);
  if (first === undefined || last === undefined) {
    return words.neverSent;
  }
  return first === last
    ? words.sentOnce(requestNumber(columns, first))
    : words.sentIn(requests.length, requestNumber(columns, first), requestNumber(columns, last));
}

function Technical({
  columns,
  view,
  block,
  position,
}: RequestParts & { readonly block: number; readonly position: number | undefined }) {
  const { blocks } = columns;
  const own = blockWords(columns, block);
  const kind = blockKinds[at(blocks.kind, block)] ?? 'other';
  const time = formatDateTime(at(blocks.timestamp, block));
  return (
    <details className="technical">
      <summary className="muted">{words.technical}</summary>
      <Facts>
        <Fact name={columnWords.partition}>
          {own.slot}
          {position !== undefined && isDisplaced(columns, view, position) && (
            <span className="muted"> · {layoutWords.displaced(position + 1)}</span>
          )}
        </Fact>
        {position !== undefined && (
          <>
            <Fact name={columnWords.wire}>{detailWords.wirePlace(position + 1, view.blocks.length)}</Fact>
            <Fact name={detailWords.span}>
              <code className="code">{visibleLabel(spanIdAt(columns, view, position))}</code>
            </Fact>
          </>
        )}
        {kind !== 'image' && (
          <Fact name={words.characters}>{formatNumber(at(blocks.characters, block))}</Fact>
        )}
        <Fact name={words.origin}>{own.origin}</Fact>
        <Fact name={words.data}>{formatBytes(at(blocks.bytes, block))}</Fact>
        {time !== '' && <Fact name={detailWords.time}>{time}</Fact>}
        <Fact name={detailWords.contentHash}>
          <code className="code">{hashDigits(blocks.hashHigh[block], blocks.hashLow[block])}</code>
        </Fact>
      </Facts>
    </details>
  );
}
