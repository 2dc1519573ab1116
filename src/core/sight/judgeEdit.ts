import { defined } from '../base/defined';
import type { ContextPlaces } from './contextPlaces';
import type { EditOutcome } from './editOutcome';
import type { Change, FileKnowledge, KnownPiece } from './fileKnowledge';
import { type EditPart, placeOf } from './patchText';
import { looseText } from './plainLines';
import { type EvidenceKind, type SightVerdict, verdictKinds } from './sightReport';
import { certainUnits } from './wantedLines';

/** An edit at the time when it was made. */
export interface EditMoment {
  readonly block: number;
  /** The request whose reply made it. If none is recorded, the first request that contains it (`isInContext`). */
  readonly request: number;
  readonly isInContext: boolean;
  readonly outcome: EditOutcome;
  /** The tool's answer; undefined if there is none. */
  readonly answer: number | undefined;
  /** The answer says that the file is new, or that it is not; undefined if it does not say. */
  readonly isNew: boolean | undefined;
  /** True if the record shows after a failed edit that the file still had a text, or whole lines of it. */
  readonly isThereLater: (text: string, isLines: boolean) => boolean;
}

/** Content of one file in the context of a request. */
export class Sight {
  constructor(
    private readonly places: ContextPlaces,
    private readonly file: FileKnowledge,
    private readonly edit: EditMoment,
  ) {}

  /** The verdict on an edit: of its parts, the worst. */
  judge(parts: readonly EditPart[]): SightVerdict {
    const verdicts = parts.map((part, index) => this.ofPart(part, parts.slice(0, index)));
    const worst = verdictKinds.map(kind => verdicts.find(verdict => verdict.kind === kind)).find(Boolean);
    const isUnseen = worst?.kind === 'absent' && (worst.since === 'never' || worst.since === 'partly');
    return worst === undefined
      ? { kind: 'unknown', why: 'unsaid' }
      : isUnseen && this.file.isMasked
        ? { kind: 'unknown', why: 'notRecorded' }
        : worst;
  }

  private ofPart(part: EditPart, before: readonly EditPart[]): SightVerdict {
    switch (part.kind) {
      case 'unsaid':
        return { kind: 'unknown', why: 'unsaid' };
      case 'new':
      case 'whole':
        return this.ofWhole(part);
      case 'text':
        return this.ofText(part, before);
    }
  }

  private ofWhole(part: EditPart & { readonly kind: 'new' | 'whole' }): SightVerdict {
    const { isNew } = this.edit;
    let hidden: KnownPiece | undefined;
    let partial: KnownPiece | undefined;
    for (const piece of isNew === true ? [] : this.file.newestFirst()) {
      // Lines that were overwritten since are not replaced by this edit.
      if (piece.current === '' || piece.piece.time >= this.edit.block) {
        continue;
      }
      if (!piece.piece.isWhole) {
        partial ??= showsPart[piece.piece.kind] ? piece : undefined;
      } else if (this.sees(piece.piece.block)) {
        const unseen = piece.changes.find(change => !this.sees(change.block));
        return unseen === undefined ? seen(piece, undefined) : this.stale(piece, unseen, undefined);
      } else {
        hidden ??= piece;
      }
    }
    if (hidden !== undefined) {
      return this.absent(hidden.piece.block);
    }
    if (partial !== undefined) {
      return this.sees(partial.piece.block)
        ? { kind: 'absent', since: 'partly', block: partial.piece.block }
        : this.absent(partial.piece.block);
    }
    return isNew === true || part.kind === 'new'
      ? { kind: 'new' }
      : isNew === false
        ? { kind: 'absent', since: 'never' }
        : { kind: 'unknown', why: 'mayBeNew' };
  }

  private ofText(part: EditPart & { readonly kind: 'text' }, before: readonly EditPart[]): SightVerdict {
    const written = part.old.replaceAll('\r\n', '\n');
    const old: OldText = {
      text: written.replace(/^\n+|\n+$/g, ''),
      written,
      isLines: part.isLines === true,
      isOrdered: part.isOrdered === true,
    };
    if (before.some(part => part.kind === 'text' && has(part.text, old))) {
      return {
        kind: 'seen',
        from: 'ownEdit',
        block: this.edit.block,
        isLoose: false,
        isPieced: false,
      };
    }
    return this.inCurrentText(old) ?? this.inOlderText(old) ?? this.loosely(old) ?? this.inPieces(old);
  }

  /** Finds the current version of the lines in the context. */
  private inCurrentText(old: OldText): SightVerdict | undefined {
    let newer: KnownPiece | undefined;
    for (const piece of this.pieces()) {
      const isThere = has(piece.current, old);
      if (!isThere && piece.piece.isWhole && piece.current !== '' && piece.piece.kind === 'reading') {
        newer ??= piece;
      }
      if (isThere && this.sees(piece.piece.block)) {
        const known = has(piece.piece.text, old) ? piece.piece.text : piece.replayed(this.seesChange);
        if (has(known, old)) {
          return newer === undefined || this.edit.outcome === 'applied' || isQuoted[piece.piece.kind]
            ? this.unlessDenied(piece, old)
            : this.staleSince(newer, piece, old);
        }
      }
    }
    return undefined;
  }

  /** The lines are missing from a newer reading of the whole file, or an edit since then removed them. */
  private staleSince(newer: KnownPiece, piece: KnownPiece, old: OldText): SightVerdict {
    const change = newer.changeWithout(old.text, old.isLines);
    return change !== undefined && has(newer.piece.text, old)
      ? this.stale(newer, change, old)
      : this.stale(piece, { block: newer.piece.block, parts: [] }, old, 'newerReading');
  }

  /** The lines are there, unless the answer to the edit says otherwise. */
  private unlessDenied(piece: KnownPiece, old: OldText): SightVerdict {
    const { outcome, answer } = this.edit;
    const isExact = placeOf(piece.current, old.written, old.isLines) >= 0;
    if (outcome === 'notFound' && old.isOrdered) {
      return { ...seen(piece, old), isLoose: true, isPieced: true };
    }
    const isGone = outcome === 'notFound' && isExact && !isQuoted[piece.piece.kind];
    return isGone || (outcome === 'changedSince' && !this.edit.isThereLater(old.text, old.isLines))
      ? { kind: 'stale', by: 'outside', ...evidence(piece, old), ...defined({ changedBy: answer }) }
      : { ...seen(piece, old), isLoose: outcome === 'notFound' };
  }

  /** Finds an outdated version of the lines in the context. */
  private inOlderText(old: OldText): SightVerdict | undefined {
    for (const piece of this.pieces()) {
      const isStale = has(piece.piece.text, old) && !has(piece.current, old);
      const change =
        isStale && this.sees(piece.piece.block) ? piece.changeWithout(old.text, old.isLines) : undefined;
      if (change !== undefined) {
        // The tool found the lines: something outside of the record, such as a checkout, has brought them back.
        return this.edit.outcome === 'applied' ? seen(piece, old) : this.stale(piece, change, old);
      }
    }
    return undefined;
  }

  /** Finds lines shown earlier that the context no longer contains. */
  private outsideOfContext(old: OldText): SightVerdict | undefined {
    let unseen: Change | undefined;
    for (const piece of this.pieces()) {
      const isNow = has(piece.current, old);
      if (isNow && this.sees(piece.piece.block)) {
        unseen ??= piece.changes.find(each => !this.sees(each.block));
      } else if (isNow || has(piece.piece.text, old)) {
        return this.absent(piece.piece.block);
      }
    }
    return unseen === undefined ? undefined : this.absent(unseen.block);
  }

  /** Finds the lines with other white space; if the file had them, also behind marks that are not known. */
  private loosely(old: OldText): SightVerdict | undefined {
    const loose = looseText(old.text);
    const isLines = old.isLines && this.edit.outcome !== 'applied';
    for (const piece of this.pieces()) {
      if (this.sees(piece.piece.block) && piece.hasLoosely(loose, isLines, this.seesChange)) {
        return {
          kind: 'seen',
          ...evidence(piece, old),
          isLoose: true,
          isPieced: false,
        };
      }
    }
    return undefined;
  }

  /** The lines one by one. */
  private inPieces(old: OldText): SightVerdict {
    const left = new Set(old.text.split('\n').map(line => line.trim()));
    left.delete('');
    const { size } = left;
    let isTelling = false;
    let newest: KnownPiece | undefined;
    let hidden: KnownPiece | undefined;
    for (const piece of this.ownPieces()) {
      const lines = piece.lineSet(this.seesChange);
      const found = [...left].filter(line => lines.has(line));
      if (found.length === 0) {
        continue;
      }
      if (this.sees(piece.piece.block)) {
        found.forEach(line => left.delete(line));
        isTelling ||= found.some(isLong);
        newest ??= piece;
      } else if (found.some(isLong) || found.length >= size / 2) {
        hidden ??= piece;
      }
    }
    if (newest !== undefined && left.size === 0) {
      return { kind: 'seen', ...evidence(newest, undefined), isLoose: true, isPieced: true };
    }
    const gone = this.outsideOfContext(old);
    if (gone !== undefined) {
      return gone;
    }
    // One or two of many lines, such as a closing bracket, may come from anywhere, but not a long one.
    if (newest !== undefined && (isTelling || left.size <= size / 2)) {
      return { kind: 'absent', since: 'partly', block: newest.piece.block };
    }
    return hidden === undefined ? { kind: 'absent', since: 'never' } : this.absent(hidden.piece.block);
  }

  /** Pieces of the file that are older than the edit, the newest first. */
  private *ownPieces(): Generator<KnownPiece> {
    for (const piece of this.file.newestFirst()) {
      if (piece.piece.time < this.edit.block) {
        yield piece;
      }
    }
  }

  /** Pieces that are older than the edit. If the file had the lines, other texts that have them come last. */
  private *pieces(): Generator<KnownPiece> {
    yield* this.ownPieces();
    for (const piece of this.edit.outcome === 'applied' ? this.file.newestElsewhere() : []) {
      if (piece.piece.time < this.edit.block) {
        yield piece;
      }
    }
  }

  private readonly seesChange = ({ block }: Change): boolean => this.sees(block);

  private sees(block: number): boolean {
    const { request, block: edit } = this.edit;
    return this.places.carries(request, block) || (block < edit && this.places.repliedIn(block) === request);
  }

  private stale(
    piece: KnownPiece,
    change: Change,
    old: OldText | undefined,
    by: (SightVerdict & { readonly kind: 'stale' })['by'] = this.isOwn(change.block)
      ? 'ownEdit'
      : 'otherAgent',
  ): SightVerdict {
    return { kind: 'stale', by, ...evidence(piece, old), changedBy: change.block };
  }

  private isOwn(block: number): boolean {
    return this.sees(block) || this.places.absence(this.edit.request, block).reason !== 'otherAgent';
  }

  private absent(block: number): SightVerdict {
    const { reason: since, ...rest } = this.places.absence(this.edit.request, block);
    return { kind: 'absent', since, block, ...rest };
  }
}

/** The text that an edit replaces. */
interface OldText {
  /** Without empty lines at both ends. */
  readonly text: string;
  /** As the call has it. */
  readonly written: string;
  /** The tool looks for whole lines, */
  readonly isLines: boolean;
  /** and may have looked for them in another order. */
  readonly isOrdered: boolean;
}

const has = (text: string, old: OldText): boolean => placeOf(text, old.text, old.isLines) >= 0;

const isLong = (line: string): boolean => line.length >= certainUnits;

function evidence(piece: KnownPiece, old: OldText | undefined) {
  const { kind: from, block } = piece.piece;
  const lines = old === undefined ? undefined : piece.linesOf(old.text, old.isLines);
  return { from, block, ...(lines === undefined ? {} : { lines: [lines[0], lines[1]] as const }) };
}

const seen = (piece: KnownPiece, old: OldText | undefined) =>
  ({ kind: 'seen', ...evidence(piece, old), isLoose: false, isPieced: false }) as const;

/** True if pieces of this kind show a part of their file. Others may only name it. */
const showsPart: Readonly<Record<EvidenceKind, boolean>> = {
  reading: true,
  ownEdit: true,
  editResult: true,
  search: false,
  shell: false,
  note: false,
  user: false,
  summary: false,
  result: false,
};

/** True if texts of this kind may quote lines with other white space than the file has, so they do not show a change. */
const isQuoted: Readonly<Record<EvidenceKind, boolean>> = {
  reading: false,
  ownEdit: false,
  editResult: false,
  search: false,
  shell: false,
  note: true,
  user: true,
  summary: true,
  result: true,
};
