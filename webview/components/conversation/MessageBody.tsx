import { useMemo } from 'react';
import { formatMoney } from '../../../src/core/base/format';
import { at, hasBits } from '../../../src/core/base/numbers';
import { isArray, member, stringAt } from '../../../src/core/base/json';
import { sourceOfTool } from '../../../src/core/content/toolSources';
import { parsedArguments } from '../../../src/core/content/knownCalls';
import { blockName } from '../../../src/core/drawing/laneContent';
import { blockFlags } from '../../../src/core/model/block';
import { kindOf } from '../../../src/core/model/blockWords';
import type { Source } from '../../../src/core/model/source';
import { Link } from '../../controls/Link';
import { costOf, positionOf, requestsByThread } from '../../state/derived';
import { diffOf, editsIn } from '../../state/editLines';
import type { MessageRow } from '../../state/conversationRows';
import { isEdit, mostDepth } from '../../state/conversationRows';
import { useInspector } from '../../state/inspector';
import { useMessageText } from '../../state/messageText';
import type { RequestParts } from '../../state/requestParts';
import type { ShownText } from '../../state/shownText';
import { openSubagent } from '../../state/threads';
import { conversationWords as words } from '../../words/conversation';
import { BlockImage } from '../block/BlockImage';
import { Failure } from '../common/Answered';
import { Sign } from '../common/Sign';
import { Further, TextBody } from '../reading/TextBody';
import { DiffLines } from '../reading/Lines';
import { Code } from '../reading/Code';
import { MasksContext } from '../reading/reading';
import { useRemembered } from './rowMemory';

/** Lines that are shown at first. */
const proseLines = 12;
const resultLines = 4;
const diffLength = 6;
const diffStep = 60;
/** Blocks of a group that are listed at first. */
const listedBlocks = 12;

export interface MessageProps {
  readonly parts: RequestParts;
  readonly row: MessageRow;
  readonly isRevealed: boolean;
  readonly onSelect: (block: number, opensDetails: boolean) => void;
}

/** The open content of a message. */
export function MessageBody(props: MessageProps) {
  const { row } = props;
  const { message } = row;
  const [block] = message.blocks;
  switch (message.kind) {
    case 'prompt':
    case 'reply':
    case 'summary':
      return <Prose {...props} block={block} lines={proseLines} />;
    case 'thinking':
      return <Prose {...props} block={block} lines={proseLines} />;
    case 'notes':
      return message.blocks.length === 1 ? (
        <Prose {...props} block={block} lines={resultLines} />
      ) : (
        <BlockNames {...props} />
      );
    case 'head':
      return <BlockNames {...props} />;
    case 'image':
      return <BlockImage block={block} />;
    case 'call':
      return <CallBody {...props} />;
    case 'result':
      return <ResultBody {...props} block={block} isProse={false} />;
  }
}

interface BlockProps extends MessageProps {
  readonly block: number;
}

function Prose({ block, lines, ...props }: BlockProps & { readonly lines: number }) {
  const shown = useMessageText(props.parts.columns, block, props.isRevealed);
  if (shown.text === undefined) {
    return <Waiting {...props} block={block} failure={shown.failure} lines={lines} />;
  }
  return (
    <TextBody
      text={shown.text}
      name={`${props.row.key} ${block}`}
      isProse={shown.text.form === 'lines'}
      language=""
      lines={lines}
      onWhole={() => props.onSelect(block, true)}
    />
  );
}

/** The words of the name stand in the place of a text that is not here yet. */
function Waiting({
  parts: { columns },
  block,
  failure,
  lines,
}: BlockProps & {
  readonly failure: ReturnType<typeof useMessageText>['failure'];
  readonly lines: number;
}) {
  if (failure !== undefined) {
    return <Failure {...failure} />;
  }
  const expected = Math.min(lines, Math.max(1, Math.ceil(at(columns.blocks.characters, block) / 90)));
  return (
    <p className="conversation__waiting" style={{ minHeight: `${expected * 19}px` }}>
      {blockName(columns, block)}
    </p>
  );
}

/** The parts of a group of texts. */
function BlockNames({ parts: { columns }, row, onSelect }: MessageProps) {
  const { blocks } = row.message;
  const [count, setCount] = useRemembered(`${row.key} names`, listedBlocks);
  return (
    <ul className="conversation__names">
      {blocks.slice(0, count).map(block => (
        <li key={block}>
          <Link onPress={() => onSelect(block, true)}>
            <Sign sensitivity={at(columns.blocks.sensitivity, block)} /> {blockName(columns, block)}
          </Link>
        </li>
      ))}
      {blocks.length > count && (
        <li>
          <Link onPress={() => setCount(count + 100)}>… {words.moreText}</Link>
        </li>
      )}
    </ul>
  );
}

/** The block with the answer of a call: the newest one that the request contains, or the newest. */
export function resultOf({ message }: MessageRow, isHere: (block: number) => boolean): number {
  const results = message.blocks.slice(1);
  return results.findLast(isHere) ?? results.at(-1) ?? -1;
}

/** The source of what a call brings. */
export const sourceOfCall = ({ blocks, strings }: RequestParts['columns'], call: number): Source =>
  sourceOfTool(strings.at(at(blocks.tool, call)) ?? '');

function CallBody(props: MessageProps) {
  const { parts, row, isRevealed, onSelect } = props;
  const { columns, view } = parts;
  const [call, ...results] = row.message.blocks;
  const source = sourceOfCall(columns, call);
  const isChange = isEdit(columns, call);
  const hasInput = isChange || source === 'shell' || at(columns.blocks.characters, call) > 160;
  const input = useMessageText(columns, hasInput ? call : -1, isRevealed);
  const main = resultOf(row, block => positionOf(columns, view, block) !== undefined);
  const images = results.filter(block => kindOf(columns.blocks, block) === 'image');
  const isFailed = main >= 0 && hasBits(columns.blocks.flags, main, blockFlags.error);
  const diff = useMemo(
    () => (isChange && input.text !== undefined ? editOf(columns, call, input.text) : undefined),
    [isChange, input.text, columns, call],
  );
  return (
    <div className="conversation__call">
      {input.failure !== undefined && <Failure {...input.failure} />}
      {isChange && input.text === undefined && input.failure === undefined && (
        <div className="framed conversation__frame conversation__frame--waiting" />
      )}
      {input.text !== undefined &&
        (diff !== undefined ? (
          <Diff {...props} text={input.text} lines={diff} />
        ) : (
          <Input {...props} text={input.text} isCommand={source === 'shell'} call={call} />
        ))}
      {images.map(block => (
        <BlockImage key={block} block={block} />
      ))}
      {main >= 0 && !images.includes(main) && (!isChange || isFailed || diff === undefined) && (
        <ResultBody {...props} block={main} isProse={source === 'subagents'} />
      )}
      {row.subagents.map(subagent => (
        <SubagentLine
          key={subagent.id}
          {...props}
          subagent={subagent}
          onOpen={
            row.depth >= mostDepth ||
            subagent.thread === undefined ||
            !requestsByThread(columns).has(subagent.thread)
              ? openSubagent
              : undefined
          }
        />
      ))}
      {row.message.blocks.length === 1 && row.subagents.length === 0 && row.standing !== 'later' && (
        <p className="muted">
          <button type="button" className="bare" onClick={() => onSelect(call, true)}>
            {words.noResult}
          </button>
        </p>
      )}
    </div>
  );
}

/** A subagent: what it did, and a way to its conversation if that is not shown here. */
function SubagentLine({
  parts,
  subagent,
  onOpen,
}: MessageProps & {
  readonly subagent: MessageRow['subagents'][number];
  readonly onOpen: typeof openSubagent | undefined;
}) {
  const inspector = useInspector();
  const { columns, summary } = parts;
  const requests =
    subagent.thread === undefined ? 0 : (requestsByThread(columns).get(subagent.thread)?.length ?? 0);
  const money = costOf(columns, summary).byThread.find(({ thread }) => thread === subagent.thread)?.money;
  return (
    <p className="row gap-12 fine muted">
      {requests > 0 && (
        <span>
          {words.subagent(requests, money === undefined || money === 0 ? undefined : formatMoney(money))}
        </span>
      )}
      {onOpen !== undefined && (
        <Link onPress={() => onOpen(inspector, columns, subagent)}>{words.openSubagent}</Link>
      )}
    </p>
  );
}

function editOf(
  { blocks, strings }: RequestParts['columns'],
  call: number,
  { text }: ShownText,
): ReturnType<typeof diffOf> | undefined {
  const edits = editsIn(strings.at(at(blocks.tool, call)) ?? '', text);
  const lines = edits.flatMap(({ parts }) => diffOf(parts));
  return lines.length === 0 ? undefined : lines;
}

function Diff({
  row,
  text,
  lines,
  onSelect,
}: MessageProps & { readonly text: ShownText; readonly lines: ReturnType<typeof diffOf> }) {
  const [limit, setLimit] = useRemembered(`${row.key} diff`, diffLength);
  const [call] = row.message.blocks;
  // Lines that stay are left out at the beginning, where the change itself should be seen.
  const first = Math.max(0, lines.findIndex(({ sign }) => sign !== '') - 1);
  const shown = lines.slice(first, first + limit);
  return (
    <MasksContext.Provider value={text.masks}>
      <div className="framed conversation__frame">
        <DiffLines lines={shown} />
      </div>
      <Further
        left={lines.length - first - shown.length}
        isWhole={text.isWhole}
        isCut={limit > diffLength}
        onMore={() => setLimit(limit + diffStep)}
        onLess={() => setLimit(diffLength)}
        onWhole={() => onSelect(call, true)}
      />
    </MasksContext.Provider>
  );
}

/** The input of a call: the command of a shell, otherwise its members. */
function Input({
  row,
  text,
  isCommand,
  call,
  onSelect,
}: MessageProps & { readonly text: ShownText; readonly isCommand: boolean; readonly call: number }) {
  const command = useMemo(() => (isCommand ? commandIn(text.text) : undefined), [isCommand, text]);
  if (command !== undefined && !command.includes('\n') && command.length < 80) {
    return null;
  }
  return (
    <div className="framed conversation__frame">
      {command === undefined ? (
        <TextBody
          text={text}
          name={`${row.key} input`}
          isProse={false}
          language=""
          lines={resultLines}
          onWhole={() => onSelect(call, true)}
        />
      ) : (
        <MasksContext.Provider value={text.masks}>
          <Code text={command} language="bash" />
        </MasksContext.Provider>
      )}
    </div>
  );
}

/** The command of a shell's input, if it is one. */
function commandIn(input: string): string | undefined {
  const value = parsedArguments(input);
  const list = member(value, 'command');
  return (
    stringAt(value, 'command') ??
    stringAt(value, 'cmd') ??
    (isArray(list) && list.every(part => typeof part === 'string') ? list.join(' ') : undefined)
  );
}

function ResultBody({ block, isProse, ...props }: BlockProps & { readonly isProse: boolean }) {
  const { parts, row, isRevealed, onSelect } = props;
  const { columns } = parts;
  const { text, failure } = useMessageText(columns, block, isRevealed);
  const path = columns.strings.at(at(columns.blocks.path, block)) ?? '';
  return (
    <div className="framed conversation__frame">
      {text === undefined ? (
        <Waiting {...props} block={block} failure={failure} lines={resultLines} />
      ) : (
        <TextBody
          text={text}
          name={`${row.key} ${block}`}
          isProse={isProse && text.form === 'lines'}
          language={path}
          lines={isProse ? proseLines : resultLines}
          onWhole={() => onSelect(block, true)}
        />
      )}
    </div>
  );
}
