import { throwIfCancelled, WorkTurn } from '../../base/cancelling';
import { parseJson } from '../../base/json';
import { applyJsonEdits } from '../../base/jsonEdits';
import { clinePieces } from '../../content/clineCut';
import { vscodeChatLog } from '../../formats/copilot/vscodeChatLog';
import { summarizedOutput } from '../../formats/opencode/opencodeBlocks';
import { formats, lineFormats } from '../../formats/registry';
import type { ByteSource } from '../../model/byteSource';
import type { UnpackZstd } from '../../reading/decoders/unpacking';
import { RecordReader } from '../../reading/recordReader';
import type { TranscriptSession } from '../../session/transcriptSession';
import { loadTokenizer } from '../../tokens/bytePairTokenizer';
import { claudeCodeCopy } from '../claudeCodeCopy';
import { unchanged } from '../prunedCopy';
import type { RecordEditor } from '../recordEditor';
import { mapJsonInSteps } from './jsonTwin';
import { builtInTools, keptWords } from './keptNames';
import { KeptParts } from './keptParts';
import { NumberTwins } from './numberTwins';
import { RandomNumbers } from '../../base/randomNumbers';
import { RecordTwins, type TwinCounts } from './recordTwins';
import { TextRuns } from './textRuns';
import { TextTwins } from './textTwins';
import { loadVocabularyWords } from './vocabularyWords';
import { WordTwins } from './wordTwins';

/** The texts that replace the texts of a database. */
interface DatabaseTexts {
  /** True if readers know a table or column. Others are left out. */
  readonly isKnown: (name: string) => boolean;
  readonly twinOf: (value: string, column: string) => string;
  readonly isCancelled: (() => boolean) | undefined;
}

/**
 * Rewrites the texts of a database, including its write-ahead log. The bytes contain nothing of the old texts. Rejects
 * with RefusedError if a table cannot be read.
 */
export type RewriteDatabase = (
  bytes: Uint8Array,
  texts: DatabaseTexts,
  log?: Uint8Array,
) => Promise<Uint8Array>;

export interface TwinInput {
  readonly session: TranscriptSession;
  readonly rewriteDatabase: RewriteDatabase;
  readonly unpackZstd: UnpackZstd;
  readonly isCancelled?: (() => boolean) | undefined;
  /** 96 random bits. New for each run by default, so that no twin can be compared with a dictionary. */
  readonly key?: Uint32Array<ArrayBuffer>;
}

/** The counts of a finished twin. Final when all bytes have been read. */
export interface TwinOutcome extends TwinCounts {
  /** Number of different replaced words, and of texts whose token count could not be kept. */
  readonly words: number;
  readonly inexactTexts: number;
}

/**
 * The transcript in its own format with every text replaced by nonsense of the same length and token count. Equal texts
 * stay equal, and common beginnings stay common. An allow-list defines the kept content: ids, times, usage, models,
 * names of tools that come with agents, the keys and fixed values of the formats, and the markers by which texts are
 * recognised. The file is read twice; a file of lines is never in memory as a whole. Rejects if the file has changed,
 * and with RefusedError if a part that was not needed for opening cannot be read.
 */
export async function* anonymisedTwin(input: TwinInput): AsyncGenerator<Uint8Array, TwinOutcome> {
  const { session, key = crypto.getRandomValues(new Uint32Array(3)) } = input;
  const { source, encoding } = session;
  const random = new RandomNumbers(key);
  const kept = new KeptParts();
  const words = new WordTwins(
    await loadTokenizer(encoding),
    await loadVocabularyWords(encoding),
    random,
    stayingWords,
  );
  const numbers = new NumberTwins(random);
  const isOpencode = session.transcript.format.startsWith('opencode');
  const texts = new TextTwins(
    words,
    numbers,
    kept,
    random,
    new TextRuns(source.size),
    isOpencode ? summarizedOutput : Infinity,
  );
  const records = new RecordTwins(kept, texts, numbers, key.join(' '), piecesIn(session.transcript.format));
  const copy = copierOf(
    input,
    await headOf(source),
    await session.siblings?.read(`${session.siblings.fileName}-wal`),
  );
  const reading = copy(records);
  for (let next = await reading.next(); next.done !== true; next = await reading.next()) {
    throwIfCancelled(input.isCancelled);
  }
  words.settle();
  records.isLearning = false;
  yield* copy(records);
  return { ...records.counts, words: words.size, inexactTexts: texts.inexact };
}

type Copier = (records: RecordTwins) => AsyncGenerator<Uint8Array>;

function copierOf(
  { session, rewriteDatabase, unpackZstd, isCancelled }: TwinInput,
  head: string,
  log: Uint8Array | undefined,
): Copier {
  const { source, transcript } = session;
  if (head.startsWith('SQLite format 3')) {
    return async function* (records) {
      const bytes = await source.read(0, source.size);
      const texts = {
        isKnown: (name: string) => keptWords.has(name),
        twinOf: (value: string, column: string) => records.ofColumn(value, column),
        isCancelled,
      };
      yield await rewriteDatabase(bytes, texts, log);
    };
  }
  if (head.startsWith('PK\u0003\u0004')) {
    return async function* (records) {
      const { twinArchive } = await import('./twinArchive');
      const bytes = await source.read(0, source.size);
      yield await twinArchive(
        bytes,
        text => wholeTwin(text, records, isCancelled),
        name => records.ofPlainText(name),
        session.unpackLimits,
        unpackZstd,
      );
    };
  }
  const known = formats.decoders.find(each => each.matches(encoder.encode(head)));
  const isOfLines =
    known === undefined
      ? lineFormats.some(({ id }) => id === transcript.format)
      : known.id === vscodeChatLog.id;
  return isOfLines
    ? records => lineTwins(source, records, transcript.format, isCancelled)
    : async function* (records) {
        const text = decoder.decode(await source.read(0, source.size));
        yield encoder.encode(await wholeTwin(text, records, isCancelled));
      };
}

/** The prefixes of Aider's lines with text of the user or the program. */
const aiderPrefix = /(?<=^#### |^> (?!Tokens: |Aider v|Main model: |Model: ))/m;

/**
 * Splits texts where a reader cuts them, as the agent did. No word may cross the cut, because its part would have
 * another token count.
 */
function piecesIn(format: string): (text: string) => readonly string[] {
  return format.startsWith('cline')
    ? clinePieces
    : format.startsWith('aider')
      ? text => text.split(aiderPrefix)
      : text => [text];
}

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
const headSize = 1 << 16;

async function headOf(source: ByteSource): Promise<string> {
  return decoder.decode(await source.read(0, Math.min(headSize, source.size)));
}

const stayingWords: ReadonlySet<string> = new Set(
  [...keptWords, ...builtInTools].flatMap(text => text.match(/\p{Lu}*\p{Ll}+|\p{L}+/gu) ?? []),
);

/** The twin of a whole file: a JSON document, an event stream, JSON after other text, lines of JSON, or plain text. */
async function wholeTwin(
  text: string,
  records: RecordTwins,
  isCancelled: (() => boolean) | undefined,
): Promise<string> {
  if (parseJson(text.replace(/^\uFEFF/, '')) !== undefined) {
    return documentTwin(text, records, isCancelled);
  }
  const json = text.indexOf('\n{') + 1;
  if (json > 0 && !text.startsWith('{') && parseJson(text.slice(json)) !== undefined) {
    const before = records.ofPlainText(text.slice(0, json));
    return before + (await documentTwin(text.slice(json), records, isCancelled));
  }
  return text.startsWith('{') ? records.ofLines(text) : records.ofText(text);
}

async function documentTwin(
  text: string,
  records: RecordTwins,
  isCancelled: (() => boolean) | undefined,
): Promise<string> {
  const steps = mapJsonInSteps(text, records.mapper());
  const turn = new WorkTurn();
  let step = steps.next();
  while (step.done !== true) {
    if (turn.isOver) {
      await turn.next();
      throwIfCancelled(isCancelled);
    }
    step = steps.next();
  }
  return step.value;
}

/** Twins of the records one by one. Content between them and damaged lines are plain text. */
async function* lineTwins(
  source: ByteSource,
  records: RecordTwins,
  format: string,
  isCancelled: (() => boolean) | undefined,
): AsyncGenerator<Uint8Array> {
  const relinker = format === 'claude-code' ? claudeCodeCopy(nothingPruned) : undefined;
  let waiting: { readonly offset: number; readonly length: number }[] = [];
  const reader = new RecordReader({
    record: ({ range }) => waiting.push(range),
    problem: () => undefined,
  });
  let copied = 0;
  const turn = new WorkTurn();
  async function* written(): AsyncGenerator<Uint8Array> {
    for (const { offset, length } of waiting) {
      yield* between(source, copied, offset, records);
      const before = decoder.decode(await source.read(offset, length));
      const after = format === 'gemini-responses' ? records.ofPieces(before, 'text') : records.ofJson(before);
      if (!records.isLearning) {
        yield relinked(before, encoder.encode(after), relinker);
      }
      copied = offset + length;
      if (turn.isOver) {
        await turn.next();
        throwIfCancelled(isCancelled);
      }
    }
    waiting = [];
  }
  for await (const chunk of unchanged(source, 0, source.size)) {
    throwIfCancelled(isCancelled);
    reader.push(chunk);
    yield* written();
  }
  reader.finish();
  yield* written();
  yield* between(source, copied, source.size, records);
}

async function* between(
  source: ByteSource,
  from: number,
  to: number,
  records: RecordTwins,
): AsyncGenerator<Uint8Array> {
  if (to > from) {
    const bytes = await source.read(from, to - from);
    const twin = records.ofPlainText(decoder.decode(bytes));
    yield /^[\n\r\t ]*$/.test(twin) ? bytes : encoder.encode(twin);
  }
}

const nothingPruned = { replacementOf: () => undefined, cleared: false, time: 0 };

/** Request records name messages by hash. */
function relinked(before: string, after: Uint8Array, relinker: RecordEditor | undefined): Uint8Array {
  const edits = relinker?.relink?.(parseJson(before), parseJson(decoder.decode(after))) ?? [];
  return applyJsonEdits(after, edits);
}
