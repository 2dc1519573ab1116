/** The texts and figures of each block in the drawing of a request. */
import { entryOf } from '../base/entryOf';
import { blocks as blockCount } from '../base/countWords';
import { formatShare, formatShortNumber } from '../base/format';
import { at, lastAtMost } from '../base/numbers';
import { visibleLabel } from '../base/visibleText';
import { blockKinds } from '../model/block';
import type { SessionColumns } from '../model/columns';
import { partitionNames, provenanceLabels, sensitivityLabels } from '../model/labels';
import { kindOf } from '../model/blockWords';
import { requestsOfThread } from '../model/requestBlocks';
import { type Source, sources } from '../model/source';
import { requestSlots } from '../view/contextSlots';
import { requestNumber } from '../view/requestNames';
import type { RequestView } from '../view/requestView';
import { blockSources } from '../view/sourceSums';
import { edgeAfter, type LabelledBoundary, placeOfOffset } from './boundaries';
import {
  kindWords,
  laneWords,
  partitionWords,
  provenanceWords,
  sensitivityWords,
  sourceWords,
} from './drawingWords';
import { iconOfBlock, sourceIcons } from './icons';
import { LaneBlocks } from './laneBlocks';
import { type BlockPlace, notRecordedPosition } from './laneLayout';
import type { ColourMode } from './palette';

/** A place on the wire up to which everything is cached, and the tokens before it. */
export interface CachedPart {
  readonly place: BlockPlace;
  readonly tokens: number;
}

/** How each block is painted, as functions of its position on the wire. */
export interface LaneContent {
  readonly mode: ColourMode;
  /** Index into the fills of the colour mode. */
  readonly fillOf: (position: number) => number;
  /** Index into sensitivityLabels. Private and restricted blocks have a sign and an edge in every mode. */
  readonly sensitivityOf: (position: number) => number;
  readonly iconOf: (position: number) => string;
  /** The name in the box, next to an icon that shows the kind of block. */
  readonly nameOf: (position: number) => string;
  /** Its tokens in the shortest form. */
  readonly figureOf: (position: number) => string;
  /** True if a prune would remove it. */
  readonly isCandidate: (position: number) => boolean;
  readonly hasCandidates: boolean;
  /** The hatched share of a block, from its end: 1 for a candidate, less while a prune is fading in. */
  readonly hatchOf: (position: number) => number;
  /** 1, or less for blocks outside a filter or a prune. */
  readonly alphaOf: (position: number) => number;
  /** 1, or less for a block that is fading in or out. Applies even where `alphaOf` never fades. */
  readonly presenceOf: (position: number) => number;
  readonly isDisplaced: (position: number) => boolean;
  /** The cached part; if unknown, the expected one; absent if nothing is cached. */
  readonly cached: CachedPart | undefined;
  /** The part that would still be cached after the shown prune. */
  readonly cachedAfter: CachedPart | undefined;
  readonly boundaryWords: string;
  /** Further boundaries, shown on demand. */
  readonly boundaries: readonly LabelledBoundary[];
  readonly laneTexts: readonly {
    readonly name: string;
    readonly share: string;
    readonly tokens: string;
    readonly detail: string;
  }[];
  /** The request in which a block arrived, counted from 1 in its conversation; empty if it came from elsewhere. */
  readonly sinceOf: (position: number) => string;
}

/** A prune in the drawing: its candidates are hatched. */
export interface ShownPrune {
  /** 1 for the blocks that the prune would remove, by block number. */
  readonly isCandidate: ArrayLike<number>;
  /**
   * The part that would still be cached after the prune; everything else is faded. Absent if the prune is not the
   * subject.
   */
  readonly prefix?: { readonly blocks: number; readonly tokens: number };
}

/** The drawn part of a request, and how it is drawn. */
export interface LaneChoices {
  readonly mode: ColourMode;
  /** The drawn prune, if any. */
  readonly prune: ShownPrune | undefined;
  /** Boundaries drawn in addition to the cache boundary. */
  readonly boundaries: readonly LabelledBoundary[];
  /** 1 for positions that the filter shows; absent without a filter. */
  readonly shown: ArrayLike<number> | undefined;
}

/** The alpha of blocks outside a filter or a prune. */
const faded = 0.26;

const callKind = blockKinds.indexOf('toolCall');

/** True if a position is among the messages on the wire, although it belongs to another slot than the history. */
export function isDisplaced(columns: SessionColumns, view: RequestView, position: number): boolean {
  return isListed(requestSlots(columns, view).displaced, position);
}

function isListed(positions: Uint32Array, position: number): boolean {
  return positions[lastAtMost(positions, positions.length, position)] === position;
}

/**
 * True if a position belongs to the frozen prefix: the cached part, or the predicted one if the cached part is unknown.
 */
export function isFrozen({ recorded, predicted, offsets }: RequestView, position: number): boolean {
  const frozen = recorded ?? predicted;
  return position === notRecordedPosition ? frozen.tokens * 2 > at(offsets, 0) : position < frozen.blocks;
}

/** Index into cacheStates. */
function cacheState({ recorded, predicted }: RequestView, position: number): number {
  if (recorded !== undefined && position < recorded.blocks) {
    return 0;
  }
  return position < predicted.blocks && predicted.tokens > 0 ? 1 : 2;
}

/** The blocks of a request for a `LaneLayout`. */
export function laneBlocks(columns: SessionColumns, view: RequestView): LaneBlocks {
  return new LaneBlocks(requestSlots(columns, view), view.offsets, view.notRecorded.value);
}

/** A block's label, or its kind if it has none. An arrow before a call distinguishes it from its result. */
export function blockName({ blocks, strings: texts }: SessionColumns, block: number): string {
  const kind = blockKinds[at(blocks.kind, block)] ?? 'other';
  const label = visibleLabel(texts.at(at(blocks.label, block)) ?? '').trim() || kindWords[kind];
  return blocks.kind[block] === callKind ? `→ ${label}` : label;
}

/** The labels of a block in words. */
export function blockWords(
  { blocks }: SessionColumns,
  block: number,
): { readonly kind: string; readonly slot: string; readonly origin: string; readonly sensitivity: string } {
  return {
    kind: kindWords[blockKinds[at(blocks.kind, block)] ?? 'other'],
    slot: partitionWords[partitionNames[at(blocks.partition, block)] ?? 'history'],
    origin: provenanceWords[provenanceLabels[at(blocks.provenance, block)] ?? 'user'],
    sensitivity: sensitivityWords[sensitivityLabels[at(blocks.sensitivity, block)] ?? 'public'],
  };
}

/** The name of a block next to its icon, without the tool's name if the icon already shows it. */
function shortName(columns: SessionColumns, block: number, source: Source): string {
  const { blocks, strings } = columns;
  const name = blockName(columns, block);
  const tool = strings.at(at(blocks.tool, block)) ?? '';
  const isResult = kindOf(blocks, block) === 'toolResult';
  const label = kindOf(blocks, block) === 'toolCall' ? name.slice(2) : name;
  const canLeaveOut = isResult && source !== 'tools' && source !== 'mcp' && source !== 'subagents';
  return canLeaveOut && label.startsWith(`${tool} `) ? label.slice(tool.length + 1) : label;
}

function cachedPart(view: RequestView): CachedPart | undefined {
  const { recorded, predicted, offsets } = view;
  if (recorded !== undefined) {
    const { tokens } = recorded;
    return tokens > 0 ? { place: placeOfOffset(offsets, tokens), tokens } : undefined;
  }
  const { tokens, blocks } = predicted;
  return tokens > 0 ? { place: edgeAfter(offsets, blocks), tokens } : undefined;
}

function wordsAtBoundary(
  view: RequestView,
  cached: CachedPart | undefined,
  after: CachedPart | undefined,
): string {
  if (after !== undefined) {
    return laneWords.cachedAfter(after.tokens);
  }
  if (cached === undefined) {
    return view.recorded === undefined ? laneWords.notExpected : laneWords.notCached;
  }
  const words = view.recorded === undefined ? laneWords.expectedTo : laneWords.cachedTo;
  return words(cached.tokens, Math.max(0, view.total.value - cached.tokens));
}

export function laneContent(columns: SessionColumns, view: RequestView, choices: LaneChoices): LaneContent {
  const { mode, prune, boundaries, shown } = choices;
  const { blocks: rows, requests } = columns;
  const sourceOfBlocks = blockSources(columns);
  const { partitions, displaced } = requestSlots(columns, view);
  const blockAt = (position: number): number => view.blocks[position] ?? 0;
  const sourceAt = (position: number): Source => sources[sourceOfBlocks[blockAt(position)] ?? 0] ?? 'tools';
  const fills: Readonly<Record<ColourMode, (position: number) => number>> = {
    source: position => sourceOfBlocks[blockAt(position)] ?? 0,
    sensitivity: position => rows.sensitivity[blockAt(position)] ?? 0,
    provenance: position => rows.provenance[blockAt(position)] ?? 0,
    role: position => rows.role[blockAt(position)] ?? 0,
    cache: position => cacheState(view, position),
  };
  const isPruned = (position: number): boolean =>
    position >= 0 && prune?.isCandidate[blockAt(position)] === 1;
  const hasCandidates = prune !== undefined && view.blocks.some(block => prune.isCandidate[block] === 1);
  const prefix = hasCandidates ? prune.prefix : undefined;
  const isAside = (position: number): boolean =>
    (shown !== undefined && shown[position] !== 1) || (prefix !== undefined && !isPruned(position));
  const cached = cachedPart(view);
  const cachedAfter =
    prefix !== undefined
      ? { place: edgeAfter(view.offsets, prefix.blocks), tokens: prefix.tokens }
      : undefined;
  /** Names and figures that were already made, because the same blocks are drawn frame by frame. */
  const names = new Map<number, string>();
  const figures = new Map<number, string>();
  /** The requests of the conversation, found when the first row is drawn. */
  let conversation: Uint32Array | undefined;
  return {
    mode,
    fillOf: fills[mode],
    sensitivityOf: fills.sensitivity,
    iconOf: position =>
      position === notRecordedPosition
        ? sourceIcons.notRecorded
        : iconOfBlock(kindOf(rows, blockAt(position)), sourceAt(position)),
    nameOf: position =>
      entryOf(names, position, () =>
        position === notRecordedPosition
          ? sourceWords.notRecorded
          : shortName(columns, blockAt(position), sourceAt(position)),
      ),
    figureOf: position =>
      entryOf(figures, position, () =>
        formatShortNumber(
          position === notRecordedPosition ? view.notRecorded.value : at(view.tokens, position),
        ),
      ),
    isCandidate: isPruned,
    hasCandidates,
    hatchOf: position => (isPruned(position) ? 1 : 0),
    presenceOf: () => 1,
    alphaOf: position => (isAside(position) ? faded : 1),
    isDisplaced: position => isListed(displaced, position),
    cached,
    cachedAfter,
    boundaryWords: wordsAtBoundary(view, cached, cachedAfter),
    boundaries,
    laneTexts: partitionNames.map((name, lane) => {
      const tokens = view.partitions[name];
      return {
        name: partitionWords[name],
        share: formatShare(view.total.value === 0 ? 0 : tokens / view.total.value),
        tokens: formatShortNumber(tokens),
        detail: blockCount(partitions[lane]?.length ?? 0),
      };
    }),
    sinceOf: position => {
      conversation ??= Uint32Array.from(requestsOfThread(columns, at(requests.thread, view.request)));
      const first = position < 0 ? -1 : at(rows.firstRequest, blockAt(position));
      const place = lastAtMost(conversation, conversation.length, first);
      return conversation[place] === first ? requestNumber(place) : '';
    },
  };
}
