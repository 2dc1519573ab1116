import { parsedArguments } from '../content/knownCalls';
import type { TranscriptSession } from '../session/transcriptSession';
import { type Absence, ContextPlaces } from './contextPlaces';
import { outcomeOf } from './editOutcome';
import { editsOfCall, isEditTool, readingsOfCall } from './editTools';
import { FilePaths } from './filePaths';
import { pairsOf } from './callPairs';
import { isCut, plainLines } from './plainLines';

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
  /** Results of other calls that name the file and are in the context: they may show parts of it. */
  readonly mentions: readonly number[];
}

/**
 * Finds where a conversation shows or changes a file. A path may be relative, or the end of the file's path. Two passes over
 * texts: the calls, then the results of those that concern the file.
 */
export async function sightingsOf(
  session: TranscriptSession,
  conversation: number,
  path: string,
): Promise<FileSightings> {
  const { transcript } = session;
  const { columns, summary } = session.toSession();
  const paths = new FilePaths(transcript.workingDirectory ?? '');
  paths.add(path);
  const isFile = (other: string): boolean => paths.find(other) !== undefined;
  const pair = pairsOf(session);
  const calls: number[] = [];
  /** Files that an agent or a person attached. */
  const attached: number[] = [];
  let number = 0;
  for (const { kind, path: own } of transcript.blocks) {
    if (kind === 'toolCall') {
      calls.push(number);
    } else if ((kind === 'injected' || kind === 'prompt') && own !== undefined && isFile(own)) {
      attached.push(number);
    }
    number += 1;
  }
  /** By block: the first line that it shows, and its call. */
  const shown = new Map<number, { readonly line: number; readonly origin: number }>(
    attached.map(block => [block, { line: 1, origin: block }]),
  );
  /** By the answer: the call, and the lines of the file that it wrote as a whole; 0 for a part. */
  const edits = new Map<number, { readonly call: number; readonly origin: number; readonly lines: number }>();
  const named: number[] = [];
  /** The first call with an id: requests for a summary and compacted contexts may have copies of it. */
  const firsts = new Map<string, number>();
  for await (const { block: call, text } of session.textsOf(calls)) {
    const { toolName: tool = '', callId } = transcript.blocks.at(call) ?? {};
    const origin = (callId === undefined ? undefined : firsts.get(callId)) ?? call;
    if (callId !== undefined) {
      firsts.set(callId, origin);
    }
    const input = parsedArguments(text);
    const answer = pair[call] ?? -1;
    const reading = readingsOfCall(tool, input).find(each => isFile(each.path));
    if (answer < 0) {
      continue;
    }
    const edit = editsOfCall(tool, input).find(each => isFile(each.path));
    if (edit !== undefined) {
      const whole = edit.parts.find(part => part.kind === 'whole' || part.kind === 'new');
      edits.set(answer, {
        call,
        origin,
        lines: whole?.text === undefined ? 0 : whole.text.replace(/\n$/, '').split('\n').length,
      });
    } else if (reading !== undefined) {
      shown.set(answer, { line: reading.lines?.[0] ?? 1, origin });
    } else if (!isEditTool(tool) && paths.namedIn(text).length > 0) {
      named.push(answer);
    }
  }
  const places = new ContextPlaces(
    columns,
    transcript.compactions,
    transcript.requests.map(({ reply }) => reply),
    new Set([...shown.keys(), ...named, ...[...edits.values()].map(({ call }) => call)]),
  );
  const newest = columns.requests.thread.lastIndexOf(conversation);
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
    if (edit === undefined && !isError && !cleared && !isFailure(text)) {
      const { line = 1, origin = block } = shown.get(block) ?? {};
      addSighting(block, origin, rangesIn(text, line));
    }
    if (edit !== undefined && outcomeOf(text, isError, isFile) === 'applied') {
      const { call, origin, lines } = edit;
      if (call === origin) {
        changes.push({ block: call, request: firstOf(call) });
      }
      if (lines > 0) {
        addSighting(call, origin, [[1, lines]]);
      }
    }
  }
  return { sightings, changes, mentions: named.filter(isThere) };
}

/** A message instead of a file, by agents that do not mark failures: Codex's shell, Grok Build. */
const failure =
  /^(?:error|failed)\b|\b(?:no such file|file not found|does not exist|is a directory|permission denied)\b/i;

function isFailure(text: string): boolean {
  const message = plainLines(text).text.trim();
  return !message.includes('\n') && failure.test(message);
}

/** The lines that a text shows; none if it was cut and has no numbers, because then the place of its end is unknown. */
function rangesIn(text: string, first: number): readonly LineRange[] {
  const numbered = plainLines(text);
  const isNumbered = numbered.numbers.some(each => each > 0);
  if (!isNumbered && isCut(text)) {
    return [];
  }
  const { numbers } = isNumbered ? numbered : plainLines(text.replace(/\n$/, ''), first);
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
