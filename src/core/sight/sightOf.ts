import { throwIfCancelled, type WorkOptions, WorkTurn } from '../base/cancelling';
import { entryOf } from '../base/entryOf';
import { isArray, isObject } from '../base/json';
import { parsedArguments } from '../content/knownCalls';
import { sourceOfTool } from '../content/toolSources';
import type { Block } from '../model/block';
import type { SessionColumns } from '../model/columns';
import type { TranscriptSession } from '../session/transcriptSession';
import { repliedIn } from '../view/attribution';
import { pairsOf } from './callPairs';
import { ContextPlaces } from './contextPlaces';
import { type EditOutcome, outcomeOf, saysNew } from './editOutcome';
import { editsOfCall, isEditTool, readingsOfCall } from './editTools';
import type { FileReading } from './shellReadings';
import { fetchedAgain } from './fetchedAgain';
import { FileKnowledge, type Piece } from './fileKnowledge';
import { FilePaths } from './filePaths';
import { Sight } from './judgeEdit';
import { editsOfReply, type FileEdit, placeOf } from './patchText';
import { isCut, plainLines } from './plainLines';
import { PrefixedLines } from './prefixedLines';
import type { AuditedEdit, EvidenceKind, SightReport } from './sightReport';
import { WantedLines } from './wantedLines';

interface FoundEdit {
  readonly block: number;
  /** Index of the file. */
  readonly file: number;
  readonly edit: FileEdit;
}

/** Something that shows or changes a file, at its place in time. */
type Step = { readonly time: number } & (
  | { readonly piece: Piece; readonly edit: undefined }
  | { readonly piece: undefined; readonly edit: FoundEdit }
);

/** After a failed edit, so many steps of its file are searched for its lines: agents read and try again at once. */
const laterSteps = 50;

/** The result of an audit, and the files that calls read, by the block of the call. */
export interface SightAudit {
  readonly report: SightReport;
  readonly readings: ReadonlyMap<number, readonly FileReading[]>;
}

/**
 * Judges every edit of a session by the replaced lines in the context of the agent, and finds content fetched again
 * after each compaction. Two passes over the texts: first the calls that edit and read files, then all others, so that
 * only texts with an edited file are kept. If lines that an edit replaced are in none of them, a third pass looks for
 * them in readings of other files and in calls.
 */
export async function auditSight(
  session: TranscriptSession,
  { isCancelled }: WorkOptions = {},
): Promise<SightAudit> {
  const opened = session.toSession();
  const audit = new EditAudit(session, opened.columns);
  const turn = new WorkTurn();
  const each = async (
    blocks: readonly number[],
    take: (number: number, text: string) => void,
  ): Promise<void> => {
    for await (const { block, text } of session.textsOf(blocks)) {
      throwIfCancelled(isCancelled);
      take(block, text);
      if (turn.isOver) {
        await turn.next();
      }
    }
  };
  await each(audit.callsToRead(), (block, text) => {
    audit.takeCall(block, text);
  });
  if (audit.hasEdits) {
    await each(audit.textsToRead(), (block, text) => {
      audit.takeText(block, text);
    });
  }
  let edits = audit.judged();
  const unseen = audit.unseen(edits);
  if (unseen.length > 0) {
    const wanted = audit.linesOf(unseen);
    await each(audit.textsElsewhere(), (block, text) => {
      audit.takeElsewhere(block, text, wanted);
    });
    edits = audit.judged();
  }
  const { readings } = audit;
  const compactions = fetchedAgain(opened, session.transcript.requests, readings);
  return { report: { edits, compactions }, readings };
}

/** Names of tools that may read files. */
const readingTool = /read|view|open|cat|file|editor/i;

class EditAudit {
  private readonly paths: FilePaths;
  private readonly edits: FoundEdit[] = [];
  readonly readings = new Map<number, readonly FileReading[]>();
  private readonly wanted: WantedLines;
  /** By call: the edited files that its text names. */
  private readonly named = new Map<number, readonly number[]>();
  /** Calls whose result was met. */
  private readonly shown = new Set<number>();
  private readonly answers = new Map<number, string>();
  private readonly pieces: (Piece & { readonly file: number })[] = [];
  private readonly pair: Int32Array;

  constructor(
    private readonly session: TranscriptSession,
    private readonly columns: SessionColumns,
  ) {
    this.paths = new FilePaths(session.transcript.workingDirectory ?? '');
    this.wanted = new WantedLines(this.paths);
    this.pair = pairsOf(session);
  }

  get hasEdits(): boolean {
    return this.edits.length > 0;
  }

  /** The calls that edit or read files; in Aider's history, edits are in replies. */
  callsToRead(): readonly number[] {
    const isInReplies = this.session.transcript.format === 'aider';
    return this.numbers(
      ({ kind, toolName }) =>
        (isInReplies && kind === 'assistant') ||
        (kind === 'toolCall' &&
          toolName !== undefined &&
          (isEditTool(toolName) || readingTool.test(toolName) || sourceOfTool(toolName) === 'shell')),
    );
  }

  takeCall(block: number, text: string): void {
    const tool = this.session.transcript.blocks.at(block)?.toolName;
    const input = tool === undefined ? undefined : parsedArguments(text);
    const edits = tool === undefined ? editsOfReply(text) : editsOfCall(tool, input);
    for (const edit of edits) {
      this.takeEdit({ block, file: this.paths.add(edit.path), edit });
    }
    if (tool !== undefined && edits.length === 0) {
      const readings = readingsOfCall(tool, input);
      if (readings.length > 0) {
        this.readings.set(block, readings);
      }
    }
  }

  private takeEdit(found: FoundEdit): void {
    this.edits.push(found);
    for (const part of found.edit.parts) {
      if (part.kind === 'text') {
        this.wanted.add(found.file, part.old);
      }
    }
  }

  /** Blocks that may show a file, and calls that may name one. */
  textsToRead(): readonly number[] {
    return this.numbers(
      ({ kind, toolName }, number) =>
        kind === 'toolResult' ||
        kind === 'prompt' ||
        kind === 'injected' ||
        kind === 'summary' ||
        kind === 'other' ||
        (kind === 'toolCall' &&
          toolName !== undefined &&
          !this.readings.has(number) &&
          !isEditTool(toolName)),
    );
  }

  takeText(number: number, text: string): void {
    const block = this.session.transcript.blocks.at(number);
    if (block === undefined) {
      return;
    }
    if (block.kind === 'toolCall') {
      const files = this.paths.namedIn(text);
      if (files.length > 0) {
        this.named.set(number, files);
      }
      return;
    }
    const call = block.kind === 'toolResult' ? (this.pair[number] ?? -1) : -1;
    const tool = block.toolName ?? '';
    if (call >= 0 && isEditTool(tool)) {
      this.answers.set(call, text);
      // A failure message repeats the searched text, and shows nothing of the file.
      if (!this.readings.has(call) && outcomeOf(text, block.isError === true) !== 'applied') {
        return;
      }
    }
    const readings = this.readings.get(call) ?? [];
    const time = call < 0 ? number : call;
    if (block.cleared === true && this.shown.has(call)) {
      return;
    }
    this.shown.add(call);
    const isMasked = block.cleared === true;
    for (const { path, lines } of readings) {
      const file = this.paths.find(path);
      if (file !== undefined && block.isError !== true) {
        const plain = plainLines(text, lines?.[0] ?? 1);
        const isToEnd = lines === undefined || (lines[0] <= 1 && plain.numbers.length < lines[1]);
        const isWhole = !isMasked && isToEnd && readings.length === 1 && !isCut(text);
        this.add(file, {
          isMasked,
          kind: 'reading',
          block: number,
          time,
          isWhole,
          ...plain,
        });
      }
    }
    if (readings.length === 0 && !isMasked) {
      this.takeOther(number, text, { kind: kindOf(block), time }, this.named.get(call) ?? []);
    }
  }

  /** A text that may show parts of files, found by the lines that are replaced. */
  private takeOther(
    block: number,
    shown: string,
    facts: Pick<Piece, 'kind' | 'time'>,
    named: readonly number[],
  ): void {
    const words = this.wanted.wordsIn(shown);
    if (!words.some && named.length === 0) {
      return;
    }
    const plain = plainLines(shown);
    const prefixed = new PrefixedLines(shown);
    const found = new Set([...named, ...words.named]);
    for (const { text } of [plain, ...prefixed.allTexts]) {
      this.wanted.addByLines(text, shown, found);
    }
    for (const file of found) {
      const own = prefixed.textsOf(this.paths.nameOf(file));
      // The last text is searched first. Lines of other files would give the wrong numbers.
      for (const each of prefixed.hasNames ? [plain, ...own] : [...own, plain]) {
        this.add(file, { ...facts, block, isWhole: false, isMasked: false, ...each });
      }
    }
  }

  /** The edits whose lines must have been in the file, but not in what the session shows of it. */
  unseen(audited: readonly AuditedEdit[]): readonly FoundEdit[] {
    const blocks = new Set(
      audited.flatMap(({ block, outcome, verdict, path }) =>
        outcome === 'applied' && verdict.kind === 'absent' ? [`${block} ${path}`] : [],
      ),
    );
    return this.edits.filter(({ block, edit }) => blocks.has(`${block} ${edit.path}`));
  }

  /** Readings of other files, calls and edits: they may have the lines too. */
  textsElsewhere(): readonly number[] {
    return this.numbers(
      ({ kind, toolName }, number) =>
        (kind === 'toolCall' && toolName !== undefined && !this.readings.has(number)) ||
        (kind === 'toolResult' && this.readings.has(this.pair[number] ?? -1)),
    );
  }

  /** A text of another file, or the input of a call, with lines that edits replace. */
  takeElsewhere(number: number, text: string, wanted: WantedLines): void {
    const block = this.session.transcript.blocks.at(number);
    const isCall = block?.kind === 'toolCall';
    const shown = isCall ? argumentText(text) : text;
    const words = wanted.wordsIn(shown);
    if (!words.some || block?.cleared === true) {
      return;
    }
    const texts = [...new PrefixedLines(shown).allTexts, plainLines(shown)];
    const found = new Set(words.named);
    for (const each of texts) {
      wanted.addByLines(each.text, undefined, found);
    }
    const time = isCall ? number : (this.pair[number] ?? number);
    for (const file of found) {
      for (const each of texts) {
        this.add(file, {
          kind: isCall ? 'ownEdit' : 'result',
          block: number,
          time,
          isWhole: false,
          isMasked: false,
          isElsewhere: true,
          ...each,
        });
      }
    }
  }

  /** The lines that edits replace. */
  linesOf(edits: readonly FoundEdit[]): WantedLines {
    const wanted = new WantedLines(this.paths);
    for (const { file, edit } of edits) {
      for (const part of edit.parts) {
        if (part.kind === 'text') {
          wanted.add(file, part.old);
        }
      }
    }
    return wanted;
  }

  private add(file: number, piece: Piece): void {
    this.pieces.push({ ...piece, file });
  }

  /** Walks through edits and pieces in the order of time, each file by itself. */
  judged(): readonly AuditedEdit[] {
    const { transcript } = this.session;
    const chosen = new Set([...this.edits, ...this.pieces].map(({ block }) => block));
    const places = new ContextPlaces(
      this.columns,
      transcript.compactions,
      transcript.requests.map(({ reply }) => reply),
      chosen,
    );
    const steps = [
      ...this.pieces.map(piece => ({ time: piece.time, file: piece.file, piece, edit: undefined })),
      ...this.edits.map(edit => ({ time: edit.block, file: edit.file, piece: undefined, edit })),
    ].sort((one, other) => one.time - other.time);
    const byFile = new Map<number, Step[]>();
    for (const step of steps) {
      entryOf(byFile, step.file, () => []).push(step);
    }
    const audited: AuditedEdit[] = [];
    for (const ofFile of byFile.values()) {
      const file = new FileKnowledge();
      ofFile.forEach(({ piece, edit }, at) => {
        if (edit === undefined) {
          file.add(piece);
        } else {
          const later = (): readonly Step[] => ofFile.slice(at + 1, at + 1 + laterSteps);
          audited.push(this.judge(edit, file, places, later));
        }
      });
    }
    return audited.sort((one, other) => one.block - other.block);
  }

  private judge(
    found: FoundEdit,
    file: FileKnowledge,
    places: ContextPlaces,
    later: () => readonly Step[],
  ): AuditedEdit {
    const { block } = found;
    const { path, parts } = found.edit;
    const reply = places.repliedIn(block) ?? repliedIn(this.columns, block);
    // A captured conversation may begin with calls whose request it does not hold.
    const request = reply < 0 ? (this.columns.blocks.firstRequest[block] ?? -1) : reply;
    const answered = this.pair[block] ?? -1;
    const answer = this.answers.get(block);
    const isInReply = this.session.transcript.blocks.at(block)?.kind === 'assistant';
    const outcome = this.outcomeOf(found);
    const moment = {
      block,
      request,
      isInContext: reply < 0,
      outcome,
      answer: answered < 0 ? undefined : answered,
      isNew: answer === undefined ? undefined : saysNew(answer),
      isThereLater: (text: string, isLines: boolean) => this.isThere(later(), block, text, isLines),
    };
    const verdict = isInReply
      ? ({ kind: 'unknown', why: 'notRecorded' } as const)
      : request < 0
        ? ({ kind: 'unknown', why: 'notSent' } as const)
        : new Sight(places, file, moment).judge(parts);
    if (outcome === 'applied') {
      file.apply({ block, parts });
    } else if (outcome === 'unanswered') {
      file.addWritten({ block, parts });
    }
    return { block, request, path, outcome, verdict };
  }

  private outcomeOf({ block, file }: FoundEdit): EditOutcome {
    const isError = this.session.transcript.blocks.at(this.pair[block] ?? -1)?.isError === true;
    return outcomeOf(this.answers.get(block), isError, other => this.paths.find(other) === file);
  }

  /** True if the next readings, or an edit that was applied, show that a file still had a text after an edit failed. */
  private isThere(later: readonly Step[], block: number, text: string, isLines: boolean): boolean {
    for (const { time, piece, edit } of later) {
      if (time <= block) {
        continue;
      }
      if (edit === undefined) {
        if (piece.kind === 'reading' && placeOf(piece.text, text, isLines) >= 0) {
          return true;
        }
      } else if (this.outcomeOf(edit) === 'applied') {
        const { parts } = edit.edit;
        if (parts.some(part => part.kind === 'text' && placeOf(part.old, text, isLines) >= 0)) {
          return true;
        }
        // From here on, the text may be there because the agent wrote it.
        if (parts.some(part => part.kind !== 'text' || placeOf(part.text, text, isLines) >= 0)) {
          return false;
        }
      }
    }
    return false;
  }

  private numbers(counts: (block: Block, number: number) => boolean): readonly number[] {
    const numbers: number[] = [];
    let number = 0;
    for (const block of this.session.transcript.blocks) {
      if (counts(block, number)) {
        numbers.push(number);
      }
      number += 1;
    }
    return numbers;
  }
}

/** The texts in the input of a call without their JSON: a command, a patch, a prompt. */
function argumentText(text: string): string {
  const strings = stringsIn(parsedArguments(text));
  return strings.length === 0 ? text : strings.join('\n');
}

/** Strings of an input, at any depth that tools use. */
const stringsIn = (input: unknown, depth = 0): readonly string[] =>
  typeof input === 'string'
    ? [input]
    : depth < 4 && (isArray(input) || isObject(input))
      ? Object.values(input).flatMap((value: unknown) => stringsIn(value, depth + 1))
      : [];

function kindOf({ kind, toolName = '' }: Block): EvidenceKind {
  if (kind === 'toolResult') {
    return isEditTool(toolName) ? 'editResult' : kindOfTool(toolName);
  }
  return kind === 'prompt' ? 'user' : kind === 'summary' ? 'summary' : 'note';
}

function kindOfTool(tool: string): EvidenceKind {
  const source = sourceOfTool(tool);
  return source === 'shell' || source === 'search' ? source : 'result';
}
