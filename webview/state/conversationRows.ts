import { groupBy } from '../../src/core/base/groupBy';
import { at, countBelow, hasBits } from '../../src/core/base/numbers';
import type { CacheFinding } from '../../src/core/cache/cacheFinding';
import { isFrozen } from '../../src/core/drawing/laneContent';
import { blockFlags } from '../../src/core/model/block';
import type { SessionColumns, SessionSummary } from '../../src/core/model/columns';
import type { Subagent } from '../../src/core/model/transcript';
import { isEditTool } from '../../src/core/sight/editTools';
import type { RequestView } from '../../src/core/view/requestView';
import { type Conversation, conversationOf, type Message } from './conversationMessages';
import { positionOf, requestsByThread } from './derived';
import type { ConversationPart } from './viewState';

/** Why a request no longer contains a message, and the place of the first request without it. */
export interface Gone {
  readonly why: 'compacted' | 'pruned' | 'rewound' | 'left' | 'neverSent';
  readonly slot: number;
}

/**
 * The standing of a message in the selected request. `later`: a reply to it, or what came after it. `elsewhere`: a
 * message of another conversation.
 */
export type Standing = 'cached' | 'new' | 'later' | 'gone' | 'elsewhere';

export interface MessageRow {
  readonly kind: 'message';
  readonly key: string;
  readonly message: Message;
  readonly conversation: Conversation;
  readonly standing: Standing;
  readonly gone: Gone | undefined;
  /** The number of the request it came with, at the first message of each request; undefined for the others. */
  readonly request: number | undefined;
  /** 0 for the conversation itself, 1 and 2 for its subagents. */
  readonly depth: number;
  readonly isOpen: boolean;
  /** The subagents that the call started. */
  readonly subagents: readonly Subagent[];
}

/** Messages in one row. */
export interface FoldedRow {
  readonly kind: 'folded';
  readonly key: string;
  readonly messages: readonly Message[];
  readonly conversation: Conversation;
  readonly standing: Standing;
  readonly gone: Gone | undefined;
  readonly depth: number;
  readonly isOpen: boolean;
}

export type ConversationRow =
  | MessageRow
  | FoldedRow
  | { readonly kind: 'notRecorded'; readonly key: string }
  /** A compaction or clearing, by its index in the summary. */
  | { readonly kind: 'compaction'; readonly key: string; readonly place: number; readonly slot: number }
  | { readonly kind: 'loss'; readonly key: string; readonly finding: CacheFinding; readonly slot: number }
  /** The cache ends here. */
  | { readonly kind: 'boundary'; readonly key: string }
  /** The selected request ends here. */
  | { readonly kind: 'end'; readonly key: string };

export interface RowChoices {
  readonly columns: SessionColumns;
  readonly summary: SessionSummary;
  readonly view: RequestView;
  readonly findings: readonly CacheFinding[];
  /** Rows that the user has opened, or closed if they are open at first. */
  readonly toggled: ReadonlySet<string>;
  /** Blocks that must be seen: the selected one, and those that the search found. */
  readonly isWanted: (block: number) => boolean;
  /** True for a block with a mark, for example a stale edit. */
  readonly isMarked: (block: number) => boolean;
  readonly show: ConversationPart;
}

/** Fewer calls than these are shown one by one, and fewer messages that are gone. */
const leastCalls = 3;
const leastGone = 2;
/** Deeper subagents open as conversations of their own. */
export const mostDepth = 2;

/** The rows of the conversation in view, at the selected request. Linear in its messages. */
export function conversationRows(choices: RowChoices): readonly ConversationRow[] {
  const { columns, view } = choices;
  const thread = at(columns.requests.thread, view.request);
  const rows: ConversationRow[] = [];
  if (view.notRecorded.value > 0) {
    rows.push({ kind: 'notRecorded', key: 'n' });
  }
  new RowWriter(choices, conversationOf(columns, thread), rows).write();
  return rows;
}

/** True for a row that opens; false for one without further content. */
export const canOpen = (kind: Message['kind']): boolean =>
  kind !== 'prompt' && kind !== 'reply' && kind !== 'summary' && kind !== 'image';

/** True if a row is open before the user has touched it. */
const isOpenAtFirst = ({ columns }: RowChoices, { kind, blocks: [block] }: Message): boolean =>
  !canOpen(kind) || (kind === 'call' && isEdit(columns, block));

export const isEdit = ({ blocks, strings }: SessionColumns, block: number): boolean =>
  isEditTool(strings.at(at(blocks.tool, block)) ?? '');

const subagentsByCall = new WeakMap<SessionSummary, ReadonlyMap<string, readonly Subagent[]>>();

function subagentsOf(
  { columns: { blocks, strings }, summary }: RowChoices,
  message: Message,
): readonly Subagent[] {
  const callId = message.kind === 'call' ? (strings.at(at(blocks.callId, message.blocks[0])) ?? '') : '';
  if (callId === '' || summary.subagents.length === 0) {
    return [];
  }
  let known = subagentsByCall.get(summary);
  if (known === undefined) {
    known = groupBy(summary.subagents, subagent => subagent.callId ?? '');
    subagentsByCall.set(summary, known);
  }
  return known.get(callId) ?? [];
}

/** Writes the rows of one conversation. */
class RowWriter {
  /** The place of each request in the conversation. */
  private readonly slots: ReadonlyMap<number, number>;
  /** Those that are shown. */
  private readonly messages: readonly Message[];
  private readonly selectedSlot: number;
  private readonly firstPrompt: Message | undefined;
  /** The compactions and clearings before each slot, by their indexes in the summary. */
  private readonly compactions: ReadonlyMap<number, readonly number[]>;
  private readonly losses: ReadonlyMap<number, CacheFinding>;
  private readonly prefix: string;
  /** The messages before this one are shown one by one. */
  private singlesEnd = 0;

  constructor(
    private readonly choices: RowChoices,
    private readonly conversation: Conversation,
    private readonly rows: ConversationRow[],
    /** The calls around a subagent's conversation. */
    private readonly path: readonly number[] = [],
  ) {
    const { view, summary, findings } = choices;
    const { requests, thread } = conversation;
    const slots = new Map([...requests].map((request, slot) => [request, slot]));
    this.slots = slots;
    this.messages =
      choices.show === 'all'
        ? conversation.messages
        : conversation.messages.filter(message => this.isSeen(message) || this.isOf(message, choices.show));
    this.firstPrompt = conversation.messages.find(({ kind }) => kind === 'prompt');
    this.selectedSlot = path.length > 0 ? requests.length : (slots.get(view.request) ?? requests.length - 1);
    const places = [...summary.compactions.keys()].filter(
      place => summary.compactions[place]?.thread === thread,
    );
    this.compactions = groupBy(places, place =>
      countBelow(requests, summary.compactions[place]?.request ?? 0),
    );
    // A compaction is shown as itself; what the cache lost by it was meant.
    this.losses = new Map(
      findings.flatMap(finding => {
        const slot = slots.get(finding.request);
        const [cause] = finding.causes;
        return slot === undefined || cause === 'compaction' || cause === 'cleared' ? [] : [[slot, finding]];
      }),
    );
    this.prefix = path.map(block => `${block}/`).join('');
  }

  write(): void {
    const { conversation, choices, messages } = this;
    const standings = messages.map(message => this.standingOf(message));
    const cachedEnd = standings.lastIndexOf('cached') + 1;
    const laterStart = standings.indexOf('later');
    let slot = -1;
    let shownSlot = -1;
    for (let index = 0; index < messages.length;) {
      const message = messages[index];
      const standing = standings[index];
      if (message === undefined || standing === undefined) {
        return;
      }
      if (this.path.length === 0) {
        if (index === cachedEnd && index > 0 && choices.view.total.value > 0) {
          this.rows.push({ kind: 'boundary', key: 'b' });
        }
        if (index === laterStart) {
          this.rows.push({ kind: 'end', key: 'e' });
        }
      }
      const end = this.runEnd(index, standings, cachedEnd);
      this.addMarks(slot, message.slot, end > index + 1 && standing === 'gone');
      slot = Math.max(slot, message.slot);
      if (end > index + 1) {
        const run = messages.slice(index, end);
        const isOpen = this.addFolded(run, standing);
        for (const each of isOpen ? run : []) {
          this.addMarks(slot, each.slot, false);
          slot = Math.max(slot, each.slot);
          shownSlot = this.addMessage(each, standings[index] ?? standing, shownSlot);
          index += 1;
        }
        index = end;
        slot = Math.max(slot, run.at(-1)?.slot ?? slot);
      } else {
        shownSlot = this.addMessage(message, standing, shownSlot);
        index += 1;
      }
    }
    if (this.path.length === 0) {
      if (cachedEnd === messages.length && cachedEnd > 0) {
        this.rows.push({ kind: 'boundary', key: 'b' });
      }
      this.addMarks(slot, conversation.requests.length, false);
    }
  }

  /** Cache losses, compactions and changes of the context between two requests. */
  private addMarks(from: number, to: number, isHidden: boolean): void {
    if (to <= from) {
      return;
    }
    for (let slot = from + 1; slot <= to; slot += 1) {
      for (const place of this.compactions.get(slot) ?? []) {
        this.rows.push({ kind: 'compaction', key: `${this.prefix}c${place}`, place, slot });
      }
      const finding = this.losses.get(slot);
      if (finding !== undefined && !isHidden) {
        this.rows.push({ kind: 'loss', key: `${this.prefix}l${slot}`, finding, slot });
      }
    }
  }

  private addFolded(messages: readonly Message[], standing: Standing): boolean {
    const key = `${this.prefix}f${messages[0]?.blocks[0] ?? 0}`;
    const isOpen = this.choices.toggled.has(key);
    this.rows.push({
      kind: 'folded',
      key,
      messages,
      conversation: this.conversation,
      standing,
      gone: messages[0] && this.goneOf(messages[0], standing),
      depth: this.path.length,
      isOpen,
    });
    return isOpen;
  }

  private addMessage(message: Message, standing: Standing, shownSlot: number): number {
    const { choices, path } = this;
    const [block] = message.blocks;
    const key = `${this.prefix}m${block}`;
    const isOpen = choices.toggled.has(key) !== isOpenAtFirst(choices, message);
    const subagents = subagentsOf(choices, message);
    const isSent = message.slot < this.conversation.requests.length;
    this.rows.push({
      kind: 'message',
      key,
      message,
      conversation: this.conversation,
      standing,
      gone: this.goneOf(message, standing),
      request: isSent && message.slot !== shownSlot ? message.slot : undefined,
      depth: path.length,
      isOpen,
      subagents,
    });
    if (isOpen && path.length < mostDepth) {
      for (const { thread } of subagents) {
        const isHere = thread !== undefined && requestsByThread(choices.columns).has(thread);
        if (isHere && thread !== this.conversation.thread && !path.includes(block)) {
          const child = conversationOf(choices.columns, thread);
          new RowWriter(choices, child, this.rows, [...path, block]).write();
        }
      }
    }
    return isSent ? message.slot : shownSlot;
  }

  private standingOf({ blocks, slot }: Message): Standing {
    const { columns, view } = this.choices;
    if (this.path.length > 0) {
      return 'elsewhere';
    }
    const [block] = blocks;
    const position = positionOf(columns, view, block);
    const left = at(columns.blocks.leftAt, block);
    if (position !== undefined && (left < 0 || left > view.request)) {
      return isFrozen(view, position) ? 'cached' : 'new';
    }
    return slot > this.selectedSlot ? 'later' : 'gone';
  }

  private goneOf({ blocks: [block] }: Message, standing: Standing): Gone | undefined {
    if (standing !== 'gone') {
      return undefined;
    }
    const { columns, summary } = this.choices;
    const { conversation, selectedSlot } = this;
    const left = at(columns.blocks.leftAt, block);
    const last = at(conversation.lastSlot, block);
    if (last < 0) {
      return { why: 'neverSent', slot: -1 };
    }
    const slot = left < 0 ? last + 1 : (this.slots.get(left) ?? 0);
    const [place] = this.compactions.get(slot) ?? [];
    const kind = place === undefined ? undefined : summary.compactions[place]?.kind;
    const isTalk = kind === undefined && left < 0 && slot <= selectedSlot;
    return {
      why:
        kind === 'compaction'
          ? 'compacted'
          : kind === 'clearing'
            ? 'pruned'
            : isTalk && this.isTalk(block)
              ? 'rewound'
              : 'left',
      slot: slot > selectedSlot ? -1 : slot,
    };
  }

  private isTalk(block: number): boolean {
    const message = this.conversation.messages[at(this.conversation.messageOf, block)];
    return message?.kind === 'prompt' || message?.kind === 'reply' || message?.kind === 'call';
  }

  /** The end of the run of messages that are shown as one row from here on. */
  private runEnd(start: number, standings: readonly Standing[], cachedEnd: number): number {
    const { messages } = this;
    const first = messages[start];
    const standing = standings[start];
    if (first === undefined || standing === undefined || start < this.singlesEnd) {
      return start + 1;
    }
    let end = start;
    let calls = 0;
    let slot = first.slot;
    if (standing === 'gone') {
      const gone = this.goneOf(first, standing);
      for (; end < messages.length && standings[end] === 'gone'; end += 1) {
        const message = messages[end];
        const own = message && this.goneOf(message, 'gone');
        if (
          message === undefined ||
          message === this.firstPrompt ||
          own?.why !== gone?.why ||
          (own?.slot !== gone?.slot && gone?.why === 'compacted') ||
          this.isSeen(message) ||
          (message.slot > first.slot && this.compactions.has(message.slot))
        ) {
          break;
        }
      }
      return end - start >= leastGone ? end : start + 1;
    }
    for (; end < messages.length; end += 1) {
      const message = messages[end];
      const isEnd = end > start && (end === cachedEnd || standings[end] !== standings[start]);
      if (message === undefined || isEnd || !this.isPlain(message, standing)) {
        break;
      }
      if (end > start && this.isBroken(slot, message.slot)) {
        break;
      }
      slot = Math.max(slot, message.slot);
      calls += message.kind === 'call' ? 1 : 0;
    }
    if (calls >= leastCalls) {
      return end;
    }
    this.singlesEnd = end;
    return start + 1;
  }

  private isBroken(from: number, to: number): boolean {
    for (let slot = from + 1; slot <= to; slot += 1) {
      if (this.losses.has(slot) || this.compactions.has(slot)) {
        return true;
      }
    }
    return false;
  }

  private isSeen({ blocks }: Message): boolean {
    return blocks.some(block => this.choices.isWanted(block));
  }

  /** True for a call that says nothing special, and for what comes between such calls. */
  private isPlain(message: Message, standing: Standing): boolean {
    const { columns } = this.choices;
    const { kind, blocks, slot } = message;
    const isQuiet = kind === 'call' || kind === 'thinking' || kind === 'notes' || kind === 'result';
    const isNewHere = standing === 'new' && slot >= this.selectedSlot;
    return (
      isQuiet &&
      !isNewHere &&
      !this.isSeen(message) &&
      !(kind === 'call' && (isEdit(columns, blocks[0]) || subagentsOf(this.choices, message).length > 0)) &&
      !this.hasMark(message)
    );
  }

  /** True for a secret, an error or a mark in a message. */
  private hasMark({ blocks }: Message): boolean {
    const { columns, isMarked } = this.choices;
    return blocks.some(
      block =>
        columns.blocks.sensitivity[block] === 2 ||
        hasBits(columns.blocks.flags, block, blockFlags.error) ||
        isMarked(block),
    );
  }

  private isOf(message: Message, part: ConversationPart): boolean {
    const { kind, blocks } = message;
    switch (part) {
      case 'all':
        return true;
      case 'talk':
        return kind === 'prompt' || kind === 'reply' || kind === 'summary';
      case 'edits':
        return kind === 'call' && isEdit(this.choices.columns, blocks[0]);
      case 'marked':
        return this.hasMark(message);
    }
  }
}

/** Tokens of messages: in the selected request if it contains them, otherwise as they were. */
export function tokensOf(
  columns: SessionColumns,
  view: RequestView,
  { blocks }: Message,
  isHere: boolean,
): number {
  let tokens = 0;
  for (const block of blocks) {
    const position = isHere ? positionOf(columns, view, block) : undefined;
    tokens +=
      position === undefined ? (isHere ? 0 : at(columns.blocks.tokens, block)) : at(view.tokens, position);
  }
  return tokens;
}
