import { memo, type ReactNode, type Ref } from 'react';
import { formatMoney } from '../../../src/core/base/format';
import { at, hasBits } from '../../../src/core/base/numbers';
import { visibleLabel } from '../../../src/core/base/visibleText';
import { laneWords, sensitivityWords } from '../../../src/core/drawing/drawingWords';
import { crackIcon, iconOfBlock, snowflake, sourceIcons } from '../../../src/core/drawing/icons';
import { blockName } from '../../../src/core/drawing/laneContent';
import { blockFlags } from '../../../src/core/model/block';
import { kindOf } from '../../../src/core/model/blockWords';
import { sensitivityLabels } from '../../../src/core/model/labels';
import { sources } from '../../../src/core/model/source';
import { ruleName } from '../../../src/core/sensitivity/ruleWords';
import type { AuditedEdit } from '../../../src/core/sight/sightReport';
import { verdictText } from '../../../src/core/sight/sightWords';
import { figureNumber } from '../../../src/core/tokens/qualityWords';
import { blockSources } from '../../../src/core/view/sourceSums';
import { FoldButton } from '../../controls/FoldButton';
import { Link } from '../../controls/Link';
import { usePalette } from '../../drawing/theme';
import { goToRequest, requestNumber } from '../../state/cacheReport';
import { compactionsIn, showCompaction } from '../../state/compaction';
import { costsUpTo } from '../../state/conversationCosts';
import type { Message } from '../../state/conversationMessages';
import {
  canOpen,
  type ConversationRow,
  type FoldedRow,
  type MessageRow,
  tokensOf,
} from '../../state/conversationRows';
import { positionOf } from '../../state/derived';
import type { FindResult } from '../../state/findState';
import { useInspector } from '../../state/inspector';
import { useMessageText } from '../../state/messageText';
import type { RequestParts } from '../../state/requestParts';
import type { ShownText } from '../../state/shownText';
import { conversationWords as words } from '../../words/conversation';
import { pageWords } from '../../words/page';
import { namesOf } from '../cache/BreakList';
import { Segments } from '../block/TextRows';
import { Icon } from '../common/Icon';
import { Sign } from '../common/Sign';
import { MasksContext } from '../reading/reading';
import { Words } from '../reading/Words';
import { MessageBody, resultOf, sourceOfCall } from './MessageBody';

interface RowProps {
  readonly parts: RequestParts;
  readonly edit: AuditedEdit | undefined;
  readonly result: FindResult | undefined;
  readonly isRevealed: boolean;
  readonly onSelect: (block: number, opensDetails: boolean) => void;
  readonly onToggle: (key: string) => void;
  readonly onReveal: (key: string) => void;
}

/** One row of the conversation, in its place. */
export const ConversationRowView = memo(function ConversationRowView({
  ref,
  index,
  top,
  row,
  isSelected,
  ...props
}: RowProps & {
  readonly ref: Ref<HTMLDivElement>;
  readonly index: number;
  readonly top: number;
  readonly row: ConversationRow;
  readonly isSelected: boolean;
}) {
  const { onSelect, parts } = props;
  const isFoldable = row.kind === 'folded' || (row.kind === 'message' && canOpen(row.message.kind));
  const block = row.kind === 'message' ? row.message.blocks[0] : row.kind === 'notRecorded' ? -1 : undefined;
  const tokens = tokensIn(parts, row);
  const cost = costIn(parts, row);
  const depth = 'depth' in row ? row.depth : 0;
  return (
    // eslint-disable-next-line jsx-a11y/click-events-have-key-events -- the grid has the keyboard for its rows
    <div
      ref={ref}
      data-index={index}
      id={`message-row-${index}`}
      className={`conversation__row ${classesOf(row)}${isSelected ? ' conversation__row--selected' : ''}`}
      role="row"
      tabIndex={-1}
      aria-rowindex={index + 2}
      aria-level={depth + 1}
      aria-selected={isSelected}
      {...(isFoldable && 'isOpen' in row ? { 'aria-expanded': row.isOpen } : {})}
      style={{ transform: `translateY(${top}px)` }}
      onClick={event => {
        const isText = document.getSelection()?.isCollapsed === false;
        const isControl = event.target instanceof Element && event.target.closest('button') !== null;
        if (!isText && !isControl && block !== undefined) {
          onSelect(block, true);
          event.currentTarget.closest<HTMLElement>('[role=treegrid]')?.focus({ preventScroll: true });
        }
      }}
    >
      <div role="gridcell" className="conversation__number numeric fine">
        {numberOf(row)}
      </div>
      <div role="gridcell" className="conversation__body" style={{ paddingLeft: depth * 18 }}>
        <RowContent {...props} row={row} />
      </div>
      <div role="gridcell" className="conversation__tokens numeric small">
        {tokens}
      </div>
      <div role="gridcell" className="conversation__cost numeric small">
        {cost}
      </div>
    </div>
  );
});

function classesOf(row: ConversationRow): string {
  switch (row.kind) {
    case 'message':
      return [
        `message message--${row.message.kind} ice--${row.standing}`,
        row.standing === 'gone' ? 'conversation__row--gone' : '',
        row.depth > 0 ? 'conversation__row--nested' : '',
      ].join(' ');
    case 'folded':
      return `ice--${row.standing}${row.standing === 'gone' ? ' conversation__row--gone' : ''}${row.depth > 0 ? ' conversation__row--nested' : ''}`;
    case 'notRecorded':
      return 'ice--none';
    case 'compaction':
      return 'conversation__row--compaction ice--none';
    case 'loss':
      return 'conversation__row--loss ice--none';
    case 'boundary':
      return 'conversation__row--boundary ice--none';
    case 'end':
      return 'conversation__row--end ice--later';
  }
}

function numberOf(row: ConversationRow): string {
  switch (row.kind) {
    case 'message':
      return row.request === undefined ? '' : String(row.request + 1);
    case 'folded': {
      const slots = row.messages.map(({ slot }) => slot);
      const [first, last] = [Math.min(...slots), Math.max(...slots)];
      return first === last ? String(first + 1) : words.range(first, last);
    }
    case 'compaction':
    case 'loss':
      return String(row.slot + 1);
    case 'notRecorded':
    case 'boundary':
    case 'end':
      return '';
  }
}

const short = (tokens: number): string => (tokens === 0 ? '' : words.shortTokens(tokens));

function tokensIn({ columns, view, summary }: RequestParts, row: ConversationRow): ReactNode {
  switch (row.kind) {
    case 'message':
    case 'folded': {
      const messages = row.kind === 'message' ? [row.message] : row.messages;
      const isHere = row.standing === 'cached' || row.standing === 'new';
      return short(messages.reduce((sum, message) => sum + tokensOf(columns, view, message, isHere), 0));
    }
    case 'notRecorded':
      return short(view.notRecorded.value);
    case 'loss':
      return short(row.finding.tokensLost);
    case 'compaction': {
      const diffs = compactionsIn(columns, summary, at(columns.requests.thread, view.request));
      const after = diffs.find(({ compaction }) => compaction === row.place)?.tokensAfter;
      return after === undefined ? '' : short(after.value);
    }
    case 'boundary':
    case 'end':
      return '';
  }
}

const leastMoney = 0.01;

const shortMoney = (money: number): string =>
  Number.isNaN(money) || money <= 0
    ? ''
    : money < leastMoney
      ? words.little(formatMoney(leastMoney))
      : formatMoney(money);

function costIn({ columns, view, summary }: RequestParts, row: ConversationRow): string {
  if (row.kind === 'loss') {
    return shortMoney(row.finding.moneyLost ?? Number.NaN);
  }
  if ((row.kind !== 'message' && row.kind !== 'folded') || row.standing === 'later') {
    return '';
  }
  const { conversation } = row;
  const last = row.standing === 'elsewhere' ? (conversation.requests.at(-1) ?? view.request) : view.request;
  const costs = costsUpTo(columns, summary.models, conversation.thread, last);
  const messages: readonly Message[] = row.kind === 'message' ? [row.message] : row.messages;
  return shortMoney(
    messages.reduce(
      (sum, { blocks }) => blocks.reduce((own, block) => own + knownCost(at(costs, block)), sum),
      0,
    ),
  );
}

const knownCost = (cost: number): number => (Number.isNaN(cost) ? 0 : cost);

function RowContent({ row, ...props }: RowProps & { readonly row: ConversationRow }): ReactNode {
  switch (row.kind) {
    case 'message':
      return <MessageContent {...props} row={row} />;
    case 'folded':
      return <Folded {...props} row={row} />;
    case 'notRecorded':
      return (
        <p className="conversation__line row gap-6 muted">
          <Icon icon={sourceIcons.notRecorded} />
          {pageWords.notRecordedName}
        </p>
      );
    case 'compaction':
      return <Compacted {...props} place={row.place} />;
    case 'loss':
      return <Lost {...props} row={row} />;
    case 'boundary':
      return <Boundary {...props} />;
    case 'end':
      return (
        <p className="conversation__end fine muted">
          <span>{words.end(slotOf(props.parts))}</span>
        </p>
      );
  }
}

const slotOf = ({ columns, view }: RequestParts): number =>
  Number(requestNumber(columns, view.request).replace(/\D/g, '')) - 1;

function Folded({ parts, row, onToggle }: RowProps & { readonly row: FoldedRow }) {
  const { messages, gone, key, isOpen } = row;
  const calls = messages.filter(({ kind }) => kind === 'call').length;
  const requests = new Set(messages.map(({ slot }) => slot)).size;
  const text =
    gone === undefined
      ? words.foldedCalls(calls)
      : requests > 1
        ? words.foldedRequests(requests)
        : words.foldedMessages(messages.length);
  return (
    <div className="conversation__line row gap-6">
      <button
        type="button"
        className="conversation__folded bare row gap-6 pressable grows"
        aria-expanded={isOpen}
        onClick={() => onToggle(key)}
      >
        <span className={`chevron chevron--${isOpen ? 'down' : 'right'}`} aria-hidden="true" />
        <span className="unbroken">{text}</span>
        <span className="ellipsis muted fine">{namesIn(parts, messages)}</span>
      </button>
      {gone !== undefined && <span className="conversation__gone fine">{words.gone(gone)}</span>}
    </div>
  );
}

/** The tools of a run, with their numbers. */
function namesIn({ columns: { blocks, strings } }: RequestParts, messages: readonly Message[]): string {
  const counts = new Map<string, number>();
  for (const { kind, blocks: numbers } of messages) {
    const tool = kind === 'call' ? (strings.at(at(blocks.tool, numbers[0])) ?? '') : '';
    if (tool !== '') {
      counts.set(tool, (counts.get(tool) ?? 0) + 1);
    }
  }
  return [...counts]
    .sort(([, one], [, other]) => other - one)
    .map(([tool, count]) => (count === 1 ? visibleLabel(tool) : `${visibleLabel(tool)} ×${count}`))
    .join(', ');
}

function Compacted({ parts, place }: RowProps & { readonly place: number }) {
  const inspector = useInspector();
  const { columns, summary, view } = parts;
  const diffs = compactionsIn(columns, summary, at(columns.requests.thread, view.request));
  const diff = diffs.find(({ compaction }) => compaction === place);
  const kind = summary.compactions[place]?.kind ?? 'compaction';
  const request = diff?.after ?? diff?.before;
  return (
    <p className="conversation__line row gap-6">
      <Icon icon={iconOfBlock('summary', 'notes')} />
      <strong>{kind === 'compaction' ? words.compacted : words.cleared}</strong>
      {diff?.tokensBefore !== undefined && diff.tokensAfter !== undefined && (
        <span className="tabular">{words.change(diff.tokensBefore.value, diff.tokensAfter.value)}</span>
      )}
      {request !== undefined && (
        <span className="end">
          <Link onPress={() => showCompaction(inspector, columns, place, request)}>{words.compare}</Link>
        </span>
      )}
    </p>
  );
}

function Lost({
  parts: { columns },
  row,
}: RowProps & { readonly row: Extract<ConversationRow, { readonly kind: 'loss' }> }) {
  const inspector = useInspector();
  return (
    <div className="conversation__line conversation__loss row gap-6">
      <Icon icon={crackIcon} />
      <Link
        onPress={() => {
          goToRequest(inspector, columns, row.finding.request);
          inspector.changeView({ panel: 'cache' });
        }}
      >
        {words.lost}
      </Link>
      <span className="conversation__rule grows" aria-hidden="true" />
      <span className="ellipsis">{namesOf(row.finding)}</span>
    </div>
  );
}

function Boundary({ parts: { view } }: RowProps) {
  const { recorded, predicted, total } = view;
  const end = recorded ?? predicted;
  const text = (recorded === undefined ? laneWords.expectedTo : laneWords.cachedTo)(
    end.tokens,
    Math.max(0, total.value - end.tokens),
  );
  return (
    <p className="conversation__boundary row gap-6 small" data-total={figureNumber(total)}>
      <span className="conversation__rule grows" aria-hidden="true" />
      <Icon icon={snowflake} size={11} />
      <span className="unbroken">{text}</span>
    </p>
  );
}

interface MessageContentProps extends RowProps {
  readonly row: MessageRow;
}

function MessageContent(props: MessageContentProps) {
  const { row, parts, isRevealed, onSelect } = props;
  const { kind } = row.message;
  const hasHead = canOpen(kind) || kind === 'summary' || kind === 'image';
  const body = <MessageBody parts={parts} row={row} isRevealed={isRevealed} onSelect={onSelect} />;
  return (
    <>
      {!hasHead && (
        <>
          <span className="visually-hidden">{words.kinds[kind]}: </span>
          <Marks {...props} />
        </>
      )}
      {hasHead && <MessageHead {...props} />}
      {(row.isOpen || !canOpen(kind)) && (
        <div id={`message-${row.key}`} className={`message__body${hasHead ? ' message__body--inside' : ''}`}>
          {body}
        </div>
      )}
    </>
  );
}

/** The line of a message that opens. */
function MessageHead(props: MessageContentProps) {
  const { row, parts, onToggle } = props;
  const { message, isOpen, key } = row;
  const { name, object } = titleOf(parts, message);
  const title = object === '' ? name : `${name} ${object}`;
  return (
    <div className="conversation__line row gap-6">
      {canOpen(message.kind) ? (
        <FoldButton
          name={isOpen ? words.close(title) : words.open(title)}
          isOpen={isOpen}
          controls={`message-${key}`}
          onToggle={() => onToggle(key)}
        />
      ) : (
        <span className="conversation__no-fold" />
      )}
      <SourceIcon parts={parts} message={message} />
      <span className={`conversation__title shrinks row gap-6${message.kind === 'thinking' ? ' muted' : ''}`}>
        {name !== '' && <strong className="unbroken">{name}</strong>}
        <span
          className={`ellipsis ${message.kind === 'thinking' ? 'conversation__thought' : 'conversation__object'}`}
        >
          {object}
        </span>
      </span>
      <span className="conversation__note end row">
        <Note {...props} />
      </span>
      <Marks {...props} />
    </div>
  );
}

/** The name of a message, and what it is about. */
function titleOf(
  { columns }: RequestParts,
  { kind, blocks: [block, ...others] }: Message,
): { readonly name: string; readonly object: string } {
  const label = blockName(columns, block);
  switch (kind) {
    case 'call': {
      const tool = visibleLabel(columns.strings.at(at(columns.blocks.tool, block)) ?? '');
      const plain = label.replace(/^→ /, '');
      return plain === tool || plain.startsWith(`${tool} `)
        ? { name: tool, object: plain.slice(tool.length + 1) }
        : { name: plain, object: '' };
    }
    case 'thinking':
      return { name: '', object: label };
    case 'head':
    case 'notes':
      return {
        name: words.kinds[kind],
        object:
          others.length === 0
            ? label
            : [block, ...others.slice(0, 3)].map(each => blockName(columns, each)).join(', '),
      };
    case 'prompt':
    case 'reply':
    case 'result':
    case 'summary':
    case 'image':
      return { name: words.kinds[kind], object: kind === 'result' || kind === 'image' ? label : '' };
  }
}

/** The source of a message in its colour; of a call, what it brings. */
function SourceIcon({
  parts: { columns },
  message,
}: {
  readonly parts: RequestParts;
  readonly message: Message;
}) {
  const { theme } = useInspector();
  const palette = usePalette(theme);
  const [block] = message.blocks;
  const isCall = message.kind === 'call';
  const source = isCall ? sourceOfCall(columns, block) : sources[at(blockSources(columns), block)];
  const fill = palette.fills.source[sources.indexOf(source ?? 'tools')];
  return (
    <span
      className="conversation__icon rigid"
      style={{ background: fill?.ground, color: fill?.text, borderColor: fill?.edge }}
    >
      <Icon
        icon={
          isCall
            ? sourceIcons[source ?? 'tools']
            : iconOfBlock(kindOf(columns.blocks, block), source ?? 'tools')
        }
        size={11}
      />
    </span>
  );
}

/** One line of the result, while the call is closed; the first hit while there is a search. */
function Note({ row, parts, result, isRevealed }: MessageContentProps) {
  const { columns, view } = parts;
  const { message } = row;
  const { blocks } = columns;
  const main =
    message.kind === 'call' ? resultOf(row, block => positionOf(columns, view, block) !== undefined) : -1;
  const own = message.kind === 'result' ? message.blocks[0] : main;
  const isShown = !row.isOpen && own >= 0;
  const { text } = useMessageText(columns, isShown ? own : -1, isRevealed);
  const around = message.blocks
    .map(block => result?.found.get(block)?.around)
    .find(found => found !== undefined);
  if (around !== undefined && !row.isOpen) {
    return (
      <span className="ellipsis muted fine">
        <Segments segments={around.before} />
        <mark className="mark hit">
          <Segments segments={around.hit} />
        </mark>
        <Segments segments={around.after} />
      </span>
    );
  }
  const isFailed = own >= 0 && hasBits(blocks.flags, own, blockFlags.error);
  if (!isShown) {
    return isFailed ? <span className="conversation__failed fine">✗ {words.failed}</span> : null;
  }
  const source = sources[at(blockSources(columns), own)];
  return (
    <span className={`ellipsis fine ${isFailed ? 'conversation__failed' : 'muted'}`}>
      {isFailed && '✗ '}
      {text !== undefined && (
        <MasksContext.Provider value={text.masks}>
          <Words text={oneLine(text, source === 'files' && !isFailed, source === 'shell')} />
        </MasksContext.Provider>
      )}
    </span>
  );
}

/** One line about a result. */
function oneLine(text: ShownText, isFile: boolean, isShell: boolean): string {
  const lines = text.lines.map(line => line.text.trim()).filter(line => line !== '');
  if (text.form === 'json') {
    return text.isWhole && text.text.startsWith('[')
      ? words.entries(Math.max(0, text.lines.filter(({ indent }) => indent === 1).length))
      : words.json;
  }
  if (isFile && text.isWhole && lines.length > 1) {
    return words.lines(text.lines.length);
  }
  const chosen = isShell && text.isWhole ? lines.at(-1) : lines[0];
  return (chosen ?? words.noText).slice(0, 200);
}

/** Secrets, stale edits, and why a message is gone. */
function Marks({ row, parts, edit, isRevealed, onReveal }: MessageContentProps) {
  const { columns } = parts;
  const { blocks: numbers } = row.message;
  const worst = numbers.reduce((most, block) => Math.max(most, at(columns.blocks.sensitivity, block)), 0);
  const findings = numbers.reduce((sum, block) => sum + at(columns.blocks.findings, block), 0);
  const { gone } = row;
  return (
    <>
      {edit !== undefined && (
        <span className="conversation__stale fine ellipsis" title={verdictText(edit.verdict)}>
          {staleText(parts, edit)}
        </span>
      )}
      {worst > 0 && <SecretPill parts={parts} row={row} worst={worst} />}
      {findings > 0 && (
        <button
          type="button"
          className="conversation__reveal link bare fine unbroken"
          aria-pressed={isRevealed}
          onClick={() => onReveal(row.key)}
        >
          {isRevealed ? words.hide : words.reveal}
        </button>
      )}
      {gone !== undefined && <span className="conversation__gone fine unbroken">{words.gone(gone)}</span>}
    </>
  );
}

/** The kind of what is masked, in people's words. */
function SecretPill({
  parts: { columns },
  row,
  worst,
}: {
  readonly parts: RequestParts;
  readonly row: MessageRow;
  readonly worst: number;
}) {
  const block = row.message.blocks.find(each => at(columns.blocks.sensitivity, each) === worst) ?? -1;
  const { text } = useMessageText(columns, block, false);
  const label = sensitivityLabels[worst] ?? 'private';
  const rule = text?.masks.find(mask => mask.label === label)?.rule;
  return (
    <span className={`chip row gap-4 fine chip--${label} conversation__secret`}>
      <Sign sensitivity={worst} />
      <span className="ellipsis">{rule === undefined ? sensitivityWords[label] : ruleName(rule)}</span>
    </span>
  );
}

function staleText({ columns }: RequestParts, { verdict }: AuditedEdit): string {
  const requestOf = (block: number | undefined): string | undefined => {
    const first = block === undefined ? -1 : at(columns.blocks.firstRequest, block);
    return first < 0 ? undefined : requestNumber(columns, first);
  };
  const read = verdict.kind === 'stale' ? requestOf(verdict.block) : undefined;
  const changed = verdict.kind === 'stale' ? requestOf(verdict.changedBy) : undefined;
  return read === undefined || changed === undefined ? verdictText(verdict) : words.stale(read, changed);
}
