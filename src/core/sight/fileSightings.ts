import { groupBy } from '../base/groupBy';
import { parseJson } from '../base/json';
import { parsedArguments } from '../content/knownCalls';
import { sourceOfTool } from '../content/toolSources';
import { newestOfThread } from '../model/requestBlocks';
import type { TextPart } from '../model/transcript';
import type { TranscriptSession } from '../session/transcriptSession';
import { type Absence, ContextPlaces } from './contextPlaces';
import { outcomeOf } from './editOutcome';
import { editsOfCall, isEditTool, readingsOfCall } from './editTools';
import { FilePaths } from './filePaths';
import { pairsOf } from './callPairs';
import { isCut, plainLines } from './plainLines';
import { PrefixedLines } from './prefixedLines';
import { filesPrinted } from './shellReadings';

/** First and last line, 1-based. */
export type LineRange = readonly [first: number, last: number];

/** A block of a conversation that shows a part of a file. */
export interface Sighting {
  readonly block: number;
  /** The block that made it appear first: its call, even if a later request has a copy; the block itself without a call. */
  readonly origin: number;
  /** The first request that contained it; -1 if none did yet. */
  readonly request: number;
  /** The lines of the file that it shows, in order. Empty if their numbers are not known. */
  readonly lines: readonly LineRange[];
  /** Why the newest request does not contain it; undefined if it does, or if it came after that request. */
  readonly absence: Absence | undefined;
}

/** The places of a conversation that show or change one file. */
export interface FileSightings {
  /** Readings and attached files, in file order. */
  readonly sightings: readonly Sighting[];
  /** Calls that changed the file, as their answers say, in file order, with the first request after each; -1 if none. */
  readonly changes: readonly { readonly block: number; readonly request: number }[];
  /** Other blocks that name the file and are in the context: they may show parts of it. */
  readonly mentions: readonly number[];
}

/** A block that shows a part of the file: the block that made it appear, and the lines or how to find them. */
interface Shown {
  readonly origin: number;
  /** The first line, for a text that does not number its lines, and the last one that the call names. */
  readonly from: LineRange;
  /** The lines, if they are known without the text. */
  readonly lines?: readonly LineRange[];
}

/** A call that changed the file. */
interface Edited {
  readonly call: number;
  readonly origin: number;
  /** Number of lines of the file that it wrote as a whole; 0 for a part. */
  readonly lines: number;
}

/**
 * Finds where a conversation shows or changes a file. A path may be relative, or the end of the file's path. Three passes
 * over texts: the calls, then the results of those that concern the file, then all others for the file's name.
 */
export async function sightingsOf(
  session: TranscriptSession,
  conversation: number,
  path: string,
): Promise<FileSightings> {
  const { transcript } = session;
  const { columns, summary } = session.toSession();
  const search = new FileSearch(session, path);
  await search.readCalls();
  await search.readOthers();
  const { shown, edits, mentions } = search;
  const places = new ContextPlaces(
    columns,
    transcript.compactions,
    transcript.requests.map(({ reply }) => reply),
    new Set([...shown.keys(), ...mentions, ...[...edits.values()].map(({ call }) => call)]),
  );
  const newest = newestOfThread(columns, conversation);
  const firstOf = (block: number): number => columns.blocks.firstRequest[block] ?? -1;
  const left =
    conversation !== 0 || summary.after?.change === undefined ? undefined : new Set(summary.after.blocks);
  const lastReplied = transcript.requests[newest]?.reply.at(-1) ?? -1;
  /** The next request will have it. */
  const isThere = (block: number): boolean =>
    left?.has(block) ??
    (newest >= 0 && (places.carries(newest, block) || (firstOf(block) < 0 && block > lastReplied)));
  const sightings: Sighting[] = [];
  const addSighting = (block: number, origin: number, lines: readonly LineRange[]): void => {
    const absence = isThere(block) ? undefined : places.absence(newest, block);
    sightings.push({ block, origin, request: firstOf(block), lines, absence });
  };
  const changes: { readonly block: number; readonly request: number }[] = [];
  const inOrder = [...shown.keys(), ...edits.keys()].toSorted((one, other) => one - other);
  for await (const { block, text } of session.textsOf(inOrder)) {
    const { isError = false, cleared = false } = transcript.blocks.at(block) ?? {};
    const edit = edits.get(block);
    const found = shown.get(block);
    if (found !== undefined && !isError && !cleared && !isFailure(text)) {
      const { origin, from, lines } = found;
      const isImage = session.isImage(block);
      addSighting(block, origin, lines ?? (isImage ? [] : rangesIn(text, from)));
    }
    if (edit !== undefined && outcomeOf(text, isError, search.isFile) === 'applied') {
      const { call, origin, lines } = edit;
      if (call === origin) {
        changes.push({ block: call, request: firstOf(call) });
      }
      if (lines > 0) {
        addSighting(call, origin, [[1, lines]]);
      }
    }
  }
  return { sightings, changes, mentions: mentions.filter(isThere) };
}

const wholeFile: LineRange = [1, Number.MAX_SAFE_INTEGER];

/** The places of a session's texts that concern one file. */
class FileSearch {
  /** By block. */
  readonly shown = new Map<number, Shown>();
  /** By the answer. */
  readonly edits = new Map<number, Edited>();
  /** Blocks that name the file, and show no lines of it that could be told. */
  readonly mentions: number[] = [];
  private readonly paths: FilePaths;
  private readonly name: string;
  private readonly pair: Int32Array;
  /** By the first block with their content. */
  private readonly memory: ReadonlyMap<number, readonly TextPart[]>;

  constructor(
    private readonly session: TranscriptSession,
    path: string,
  ) {
    const { workingDirectory = '', parts } = session.transcript;
    this.paths = new FilePaths(workingDirectory);
    this.name = this.paths.nameOf(this.paths.add(path));
    this.pair = pairsOf(session);
    const own = parts.filter(({ kind, name }) => kind === 'memory' && this.isFile(name));
    this.memory = groupBy(own, ({ block }) => block);
  }

  readonly isFile = (other: string): boolean => this.paths.find(other) !== undefined;

  /** The calls that read, print or change the file, or name it; and the files and images that have its path. */
  async readCalls(): Promise<void> {
    const calls: number[] = [];
    let number = 0;
    for (const { kind, path } of this.session.transcript.blocks) {
      if (kind === 'toolCall') {
        calls.push(number);
      } else if (path !== undefined && /^(?:injected|prompt|image)$/.test(kind) && this.isFile(path)) {
        this.shown.set(number, { origin: number, from: wholeFile });
      }
      number += 1;
    }
    /** The first call with an id: requests for a summary and compacted contexts may have copies of it. */
    const firsts = new Map<string, number>();
    for await (const { block: call, text } of this.session.textsOf(calls)) {
      const { toolName: tool = '', callId } = this.session.transcript.blocks.at(call) ?? {};
      const origin = (callId === undefined ? undefined : firsts.get(callId)) ?? call;
      if (callId !== undefined) {
        firsts.set(callId, origin);
      }
      this.readCall({ call, origin, tool, text, answer: this.pair[call] ?? -1 });
    }
  }

  private readCall({ call, origin, tool, text, answer }: FoundCall): void {
    if (answer < 0) {
      return;
    }
    const input = parsedArguments(text);
    const edit = editsOfCall(tool, input).find(each => this.isFile(each.path));
    const reading = readingsOfCall(tool, input).find(each => this.isFile(each.path));
    const printed = sourceOfTool(tool) === 'shell' ? filesPrinted(input) : [];
    const own = printed.filter(each => this.isFile(each.path));
    if (edit !== undefined) {
      const whole = edit.parts.find(part => part.kind === 'whole' || part.kind === 'new');
      const lines = whole?.text === undefined ? 0 : whole.text.replace(/\n$/, '').split('\n').length;
      this.edits.set(answer, { call, origin, lines });
    } else if (reading !== undefined) {
      this.shown.set(answer, { origin, from: reading.lines ?? wholeFile });
    } else if (own.length > 0) {
      const ranges = own.flatMap(({ lines }) => (lines === undefined ? [] : [lines]));
      // Only the output would tell where each of several files ends.
      this.shown.set(answer, {
        origin,
        from: wholeFile,
        lines: ranges.length === own.length ? ranges : [],
      });
    } else if (!isEditTool(tool) && this.paths.namedIn(text).length > 0) {
      this.mentions.push(answer);
    }
  }

  /** The other texts that hold parts of the file or name it: memory files, attached files, results of searches. */
  async readOthers(): Promise<void> {
    const { blocks } = this.session.transcript;
    const { columns } = this.session.toSession();
    const others: number[] = [];
    let number = 0;
    for (const { kind } of blocks) {
      const isText = /^(?:toolResult|injected|prompt|summary|systemPrompt|other)$/.test(kind);
      if (isText && !this.shown.has(number) && !this.edits.has(number)) {
        others.push(number);
      }
      number += 1;
    }
    const named = new Set(this.mentions);
    /** The file of the result that follows, in a text of its own or in the same one. */
    let attached = '';
    for await (const { block, text } of this.session.textsOf(others)) {
      attached = calledRead.exec(text)?.groups?.['path'] ?? attached;
      const read = readResult.exec(text);
      const first = columns.blocks.content[block] ?? block;
      const lines =
        read !== null && attached !== '' && this.isFile(pathIn(attached))
          ? rangesIn(text.slice(read.index + read[0].length).replace(afterResult, ''), wholeFile)
          : (this.memory.get(first) ?? []).map(part => linesOfPart(text.slice(part.start, part.end)));
      attached = read === null ? attached : '';
      const found = lines.length > 0 ? lines : this.searched(block, text);
      if (found.length > 0) {
        this.shown.set(block, { origin: this.callOf(block), from: wholeFile, lines: found });
        named.delete(block);
      } else if (text.includes(this.name) && this.paths.namedIn(text).length > 0) {
        named.add(block);
      }
    }
    this.mentions.splice(0, this.mentions.length, ...[...named].sort((one, other) => one - other));
  }

  /** The lines of the file that a search found. */
  private searched(block: number, text: string): readonly LineRange[] {
    const { kind } = this.session.transcript.blocks.at(block) ?? {};
    if (kind !== 'toolResult' || !text.includes(this.name)) {
      return [];
    }
    const prefixed = new PrefixedLines(text);
    const [own] = prefixed.hasNames ? prefixed.textsOf(this.name) : [];
    return own === undefined ? [] : rangesOf(own.numbers);
  }

  private callOf(block: number): number {
    const call = this.pair[block] ?? -1;
    return call < 0 ? block : call;
  }
}

interface FoundCall {
  readonly call: number;
  readonly origin: number;
  readonly tool: string;
  readonly text: string;
  readonly answer: number;
}

/** Claude Code's notes about a file that it attaches by itself, as after a compaction. */
const calledRead =
  /Called the Read tool with the following input: \{[^\n]*?"file_path":\s*(?<path>"(?:\\.|[^"\\])*")/;
const readResult = /Result of calling the Read tool:\s*/;
const afterResult = /\n?<\/system-reminder>\s*$/;

const pathIn = (quoted: string): string => {
  const path = parseJson(quoted);
  return typeof path === 'string' ? path : '';
};

/** The lines of a memory file, after its heading. */
function linesOfPart(part: string): LineRange {
  const text = part.slice(part.indexOf('\n') + 1).trim();
  return [1, Math.max(1, text.split('\n').length)];
}

/** A message instead of a file, by agents that do not mark failures: Codex's shell, Grok Build. */
const failure =
  /^(?:error|failed)\b|\b(?:no such file|file not found|does not exist|is a directory|permission denied)\b/i;

function isFailure(text: string): boolean {
  const message = plainLines(text).text.trim();
  return !message.includes('\n') && failure.test(message);
}

/**
 * The lines that a text shows; none if it was cut and has no numbers, because then the place of its end is unknown, unless
 * the call names it.
 */
function rangesIn(text: string, [first, last]: LineRange): readonly LineRange[] {
  const numbered = plainLines(text);
  const isNumbered = numbered.numbers.some(each => each > 0);
  if (!isNumbered && isCut(text)) {
    return last === Number.MAX_SAFE_INTEGER ? [] : [[first, last]];
  }
  return rangesOf(isNumbered ? numbered.numbers : plainLines(text.replace(/\n$/, ''), first).numbers);
}

function rangesOf(numbers: Int32Array): readonly LineRange[] {
  const ranges: [number, number][] = [];
  for (const line of numbers) {
    const last = ranges.at(-1);
    if (line > 0 && last !== undefined && line === last[1] + 1) {
      last[1] = line;
    } else if (line > 0) {
      ranges.push([line, line]);
    }
  }
  return ranges;
}
