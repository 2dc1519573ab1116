import { parse as parseTolerantly } from 'jsonc-parser/lib/esm/main.js';
import { defined } from '../base/defined';
import { isArray, isObject, parseJson } from '../base/json';
import { isCutLabel } from '../content/blockLabels';
import { type TextVisitor, TranscriptBuilder } from '../content/transcriptBuilder';
import { readTranscript } from '../formats/readTranscript';
import { decoders, documentFormats, lineFormats } from '../formats/registry';
import type { SourceRange } from '../model/block';
import { bytesSource } from '../model/byteSource';
import type { Transcript } from '../model/transcript';
import { sessionTimes } from '../model/sessionTimes';
import type { LineFormat, SourceRecord } from '../reading/format';
import { RecordReader } from '../reading/recordReader';
import { maskLabelAlone } from '../sensitivity/maskLabel';
import { ContextWindows } from '../tokens/contextWindow';
import { probeBranch } from './sessionProbe';

/** Bytes read from the beginning and the end of a session. */
export const sliceLength = 1 << 16;

/** The number of records used to recognise a format, the same as when a transcript is opened. */
const recordsLookedAt = 60;

/** The facts about a session that a list shows. */
export interface SessionOutline {
  readonly format: string;
  /** The agent's name according to the format. */
  readonly agent: string;
  /**
   * The first human prompt or the session's name, without secrets; empty if the part that was read contains neither.
   */
  readonly title: string;
  /** The full text of the title, if the title was truncated. A secret in it can be recognised only in full. */
  readonly titleText?: string;
  readonly model: string;
  /** API calls of the main conversation; extrapolated from the file size if only the ends of the file were read. */
  readonly requests: number;
  readonly isWhole: boolean;
  readonly workingDirectory?: string;
  /** The branch of the working directory when the session began. */
  readonly branch?: string;
  /** See `sessionTimes`. */
  readonly firstTime?: number;
  readonly lastTime?: number;
  /** Input tokens of the newest request with recorded usage, and the window if it is known. */
  readonly fill?: { readonly tokens: number; readonly window?: number };
}

export type OutlineResult =
  | { readonly kind: 'session'; readonly outline: SessionOutline }
  /** A database or a packed file, which would have to be read completely. */
  | { readonly kind: 'packed' }
  /** Probably not a transcript. */
  | { readonly kind: 'foreign' };

/** The ends of a file. Only `head` if it is the whole file. */
export interface FileEnds {
  readonly size: number;
  readonly head: Uint8Array;
  readonly tail?: Uint8Array;
}

/** Makes the outline of a session from its ends, with the formats' own readers. Never rejects. */
export async function outlineSession(ends: FileEnds): Promise<OutlineResult> {
  const result = await outlineEnds(ends);
  const branch = result.kind === 'session' ? probeBranch(new TextDecoder().decode(ends.head)) : undefined;
  return result.kind === 'session' && branch !== undefined
    ? { ...result, outline: { ...result.outline, branch } }
    : result;
}

async function outlineEnds(ends: FileEnds): Promise<OutlineResult> {
  const { head, tail } = ends;
  const texts = new LabelTexts();
  try {
    if (tail === undefined) {
      const result = await readTranscript(bytesSource(head), { visitText: texts.visit });
      if (result.ok) {
        return { kind: 'session', outline: outlineOf(result.transcript, texts, 1) };
      }
      return { kind: isPacked(head) ? 'packed' : 'foreign' };
    }
    if (isPacked(head)) {
      const result = await readTranscript(bytesSource(head), { visitText: texts.visit });
      return result.ok
        ? { kind: 'session', outline: outlineOf(result.transcript, texts, ends.size / head.length) }
        : { kind: 'packed' };
    }
    const transcript = readLines(head, tail, texts) ?? readDocument(head, texts);
    if (transcript === undefined) {
      return { kind: 'foreign' };
    }
    const read = transcript.isLines ? head.length + tail.length : head.length;
    return {
      kind: 'session',
      outline: outlineOf(transcript.transcript, texts, ends.size / read, transcript.isLines),
    };
  } catch {
    // A part of a file can be anything and must not break the list.
    return { kind: 'foreign' };
  }
}

function isPacked(head: Uint8Array): boolean {
  return decoders.some(decoder => decoder.matches(head));
}

interface PartialTranscript {
  readonly transcript: Transcript;
  readonly isLines: boolean;
}

/** Reads the complete lines of both ends as if they were adjacent. */
function readLines(head: Uint8Array, tail: Uint8Array, texts: LabelTexts): PartialTranscript | undefined {
  const end = head.lastIndexOf(newline);
  const first = head.indexOf(newline);
  if (first >= 0 && parseJson(new TextDecoder().decode(head.subarray(0, first))) === undefined) {
    return undefined;
  }
  const cut = parsePart(head.subarray(end + 1));
  const range = { line: 0, offset: end + 1, length: head.length - end - 1 };
  const records = [
    ...recordsIn(head.subarray(0, end + 1)),
    ...(isObject(cut) ? [{ value: cut, range }] : []),
  ];
  const values = records.slice(0, recordsLookedAt).map(({ value }) => value);
  const format = lineFormats.find(candidate => candidate.matches(values));
  if (format === undefined) {
    return undefined;
  }
  const rest = tail.indexOf(newline);
  const last = rest < 0 ? [] : recordsIn(tail.subarray(rest + 1));
  return { transcript: readRecords(format, [...records, ...last], texts), isLines: true };
}

const newline = 0x0a;

/** The texts of prompts whose labels were truncated. */
class LabelTexts {
  private readonly texts = new Map<string, string>();

  readonly visit: TextVisitor = ({ kind, label, content }) => {
    if (kind === 'prompt' && isCutLabel(label) && !this.texts.has(label)) {
      this.texts.set(label, content);
    }
  };

  of(label: string): string | undefined {
    return this.texts.get(label);
  }
}

function recordsIn(bytes: Uint8Array): readonly SourceRecord[] {
  const records: SourceRecord[] = [];
  const reader = new RecordReader({
    record: record => {
      records.push(record);
    },
    problem: () => undefined,
  });
  reader.push(bytes);
  reader.finish();
  return records;
}

function readRecords(format: LineFormat, records: readonly SourceRecord[], texts: LabelTexts): Transcript {
  const builder = new TranscriptBuilder({ visitText: texts.visit });
  const reading = format.open(builder);
  records.forEach(record => reading.push(record));
  reading.end?.();
  return builder.build(format.id);
}

/** Reads as much as possible of a truncated document. */
function readDocument(head: Uint8Array, texts: LabelTexts): PartialTranscript | undefined {
  const value = parsePart(head);
  for (const candidate of [value, withoutLast(value)]) {
    const format = documentFormats.find(each => each.matches(candidate));
    if (format !== undefined) {
      const range: SourceRange = { line: 1, offset: 0, length: head.length };
      const record = { value: candidate, range };
      const builder = new TranscriptBuilder({ visitText: texts.visit });
      format.read(record, () => range, builder);
      return { transcript: builder.build(format.id), isLines: false };
    }
  }
  return undefined;
}

const textEnd = /[\s"\\]|[^\0-~]/;

/**
 * A text without the word in which it was cut off, because this may be the beginning of a credential that no detector
 * knows.
 */
function withoutCutWord(text: string): string {
  let end = text.length;
  while (end > 0 && !textEnd.test(text.charAt(end - 1))) {
    end -= 1;
  }
  return text.slice(0, end);
}

function parsePart(bytes: Uint8Array): unknown {
  const text = withoutCutWord(new TextDecoder().decode(bytes));
  return /^\s*[{[]/.test(text) ? parseTolerantly(text) : undefined;
}

/** Removes the element in which the text was cut off, because it may lack members that its format requires. */
function withoutLast(value: unknown): unknown {
  if (isArray(value)) {
    return value.slice(0, -1);
  }
  if (!isObject(value)) {
    return value;
  }
  const key = Object.keys(value).at(-1);
  return key === undefined ? value : { ...value, [key]: withoutLast(value[key]) };
}

/** @param scale the size of the file divided by the size of the read part */
function outlineOf(
  transcript: Transcript,
  texts: LabelTexts,
  scale: number,
  hasEnd = scale === 1,
): SessionOutline {
  const { format, agent, requests, workingDirectory, title } = transcript;
  const main = requests.filter(({ thread }) => thread === 0);
  const model = main.findLast(request => request.model !== undefined)?.model ?? '';
  const { began, ended } = sessionTimes(requests);
  const inputs = main.flatMap(request => {
    const { usage } = request;
    const tokens = usage === undefined ? 0 : usage.input + usage.cacheRead + usage.cacheWrite;
    return tokens > 0 ? [{ tokens, request }] : [];
  });
  const newest = inputs.at(-1);
  const window =
    newest === undefined
      ? undefined
      : new ContextWindows(transcript).of({ model, ...newest.request })?.tokens;
  return {
    format,
    agent: agent.name,
    title: maskLabelAlone(title ?? ''),
    model,
    requests: Math.round(main.length * scale),
    isWhole: scale === 1,
    ...defined({
      titleText: texts.of(title ?? ''),
      workingDirectory,
      firstTime: began,
      lastTime: hasEnd ? ended : undefined,
      fill: newest === undefined || !hasEnd ? undefined : { tokens: newest.tokens, ...defined({ window }) },
    }),
  };
}
