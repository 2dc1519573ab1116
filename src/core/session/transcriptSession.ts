import type { WorkOptions } from '../base/cancelling';
import { digest, normalizeWhitespace } from '../base/canonicalJson';
import { defined } from '../base/defined';
import { parseJson } from '../base/json';
import type { HashText } from '../base/sha256';
import type { ByteSource, DecodeText } from '../model/byteSource';
import type { Session, SessionColumns, SessionSummary } from '../model/columns';
import type { Encoding } from '../model/modelRow';
import type { Transcript } from '../model/transcript';
import { sessionTimes } from '../model/sessionTimes';
import { type UnpackLimits, defaultUnpackLimits } from '../reading/decoders/unpacking';
import type { SiblingFiles } from '../reading/format';
import type { LineReading } from '../reading/lineReading';
import type { SensitivityFinding } from '../sensitivity/finding';
import { Gate, type GateOptions } from '../sensitivity/gate';
import { withoutHomeFolders } from '../sensitivity/homeFolder';
import { maskPage, maskText, outsideRanges } from '../sensitivity/maskText';
import { redactionMark } from '../sensitivity/redactionMark';
import { scanText } from '../sensitivity/scanTexts';
import type { SecretScanner } from '../sensitivity/scanner';
import type { ModelLookUp } from '../tokens/modelTable';
import { unknownPrior } from '../tokens/tokenizerPrior';
import { type UserModels, lookUpWith } from '../tokens/userModels';
import { ColumnBuilder } from '../view/columnBuilder';
import { pageAt, rowsOf } from '../view/textRows';
import { type BlockImage, imageFrom } from './blockImage';
import type { BlockText } from './blockText';
import type { KnownMeasure } from './knownMeasure';
import { type TextMeasurer, measureSteps } from './measureTexts';
import { Measuring } from './measuring';
import type { ReadingCounts } from './readingCounts';
import type { TextBlock } from './taskStateOf';
import type { TextHashes } from './textHashes';
import type { ReadText, TextReader } from './textReader';
import { furtherSubagents, subagentFigures, type SubagentFiles } from './subagentSessions';

export interface SessionOptions {
  readonly fileName: string;
  /** Looks for credentials, in addition to the program's own detectors. */
  readonly scanner: SecretScanner;
  /** An earlier reading of the same file, whose counts and scans are adopted. */
  readonly previous?: TranscriptSession | undefined;
  /** The user's settings for models. */
  readonly models?: UserModels | undefined;
  readonly hashText?: HashText | undefined;
  /** `false` leaves the labels of blocks empty: if nobody reads them, no secrets have to be removed from them. */
  readonly labels?: boolean | undefined;
  /** Files next to the transcript, and how far packed ones may unpack: a copy is made of the same bytes. */
  readonly siblings?: SiblingFiles | undefined;
  readonly limits?: UnpackLimits | undefined;
  /** The session's subagents with files of their own. */
  readonly subagents?: SubagentFiles | undefined;
}

/** An open transcript: its columns, which improve during counting and scanning, and its texts on demand. */
export class TranscriptSession {
  readonly encoding: Encoding;
  /** The platform's SHA-256, if it has one. */
  readonly hashText: HashText | undefined;
  readonly fileName: string;
  readonly siblings: SiblingFiles | undefined;
  readonly unpackLimits: UnpackLimits;
  readonly subagents: SubagentFiles;
  private readonly hasLabels: boolean;
  private readonly scanner: SecretScanner;
  private readonly measuring: Measuring;
  private readonly countedInputs = new Map<number, number>();
  private readonly columnBuilder: ColumnBuilder;
  private columns: SessionColumns | undefined;
  /** The measures' changes when the columns were made. */
  private measureChanges = 0;
  private lookUpModel: ModelLookUp;
  /** The last text searched, because its pages are usually requested one after the other. */
  private lastFound: { readonly text: string; readonly findings: readonly SensitivityFinding[] } | undefined;

  constructor(
    readonly transcript: Transcript,
    private readonly texts: TextReader,
    options: SessionOptions,
    /** For a file of lines: the place where the next session continues when the file has grown. */
    readonly reading?: LineReading,
    counts?: ReadingCounts,
  ) {
    const { fileName, scanner, previous, models = {}, hashText, labels = true } = options;
    const { siblings, limits, subagents = new Map() } = options;
    this.lookUpModel = lookUpWith(models);
    this.fileName = fileName;
    this.hasLabels = labels;
    this.hashText = hashText;
    this.siblings = siblings;
    this.unpackLimits = limits ?? defaultUnpackLimits;
    this.subagents = subagents;
    this.scanner = scanner;
    this.encoding = (this.modelRow(this.model)?.tokenizerPrior ?? unknownPrior).encoding;
    this.measuring = new Measuring(transcript, texts, this.encoding, scanner, previous?.measuring, counts);
    const goesOn = previous !== undefined && this.measuring.sameBlocks > 0;
    this.columnBuilder = goesOn ? previous.columnBuilder : new ColumnBuilder();
    for (const [request, tokens] of previous?.countedInputs ?? []) {
      if (previous?.transcript.requests[request] === transcript.requests[request]) {
        this.countedInputs.set(request, tokens);
      }
    }
  }

  /** The model of the newest request of the main conversation, empty if none is recorded. */
  get model(): string {
    const { requests } = this.transcript;
    return (
      requests.findLast(({ thread, model }) => thread === 0 && model !== undefined)?.model ??
      requests.findLast(({ model }) => model !== undefined)?.model ??
      ''
    );
  }

  /** The bytes that the texts are read from; unpacked if the file is packed. */
  get source(): ByteSource {
    return this.texts.source;
  }

  get decodeText(): DecodeText {
    return this.texts.decodeText;
  }

  toSession(): Session {
    const { format, agent, title, messages, compactions, subagents, conversations } = this.transcript;
    const { parts, problems, leftOut, drift, otherFormats, after, quota } = this.transcript;
    const { labels } = this.measuring;
    return {
      summary: {
        format,
        agent,
        title: title === undefined ? this.fileName : labels.of(title),
        model: this.model,
        models: this.models(),
        messages: messages.length,
        compactions,
        subagents: [...subagents, ...furtherSubagents(this.transcript, this.subagents)].map(subagent =>
          subagent.description === undefined
            ? subagent
            : { ...subagent, description: labels.of(subagent.description) },
        ),
        conversations: conversations.map(({ thread, title: own }) => ({ thread, title: labels.of(own) })),
        ...(parts.length === 0
          ? {}
          : { parts: parts.map(part => ({ ...part, name: labels.of(part.name) })) }),
        problems,
        leftOut,
        ...defined({
          drift,
          otherFormats,
          after,
          quota,
          subagentFiles: this.subagentFigures(),
          ...sessionTimes(this.transcript.requests),
        }),
        encoding: this.encoding,
      },
      columns: this.currentColumns(),
    };
  }

  private subagentFigures(): SessionSummary['subagentFiles'] {
    const files = [...this.subagents.values()].filter(({ session }) => session !== undefined).length;
    return files === 0
      ? undefined
      : { files, figures: subagentFigures(this.transcript, this.subagents, this.lookUpModel) };
  }

  private models(): SessionSummary['models'] {
    const chosen = this.transcript.after?.model;
    const ids = new Set([
      ...(chosen === undefined ? [] : [chosen]),
      ...this.transcript.requests.flatMap(({ model, usage }) => [
        ...(model === undefined ? [] : [model]),
        ...(usage?.billing?.passes.flatMap(pass => (pass.model === '' ? [] : [pass.model])) ?? []),
      ]),
    ]);
    return [...ids].flatMap(id => {
      const row = this.lookUpModel(id);
      return row === undefined ? [] : [{ id, row }];
    });
  }

  private currentColumns(): SessionColumns {
    const { measuring, countedInputs } = this;
    if (this.columns === undefined || this.measureChanges !== measuring.changes) {
      this.measureChanges = measuring.changes;
      const { tokens, counted, sensitivity, findings, labels } = measuring;
      this.columns = this.columnBuilder.build(
        this.transcript,
        {
          tokens,
          counted,
          sensitivity,
          findings,
          hasLabels: this.hasLabels,
          shownLabel: label => labels.of(label),
          labelChanges: labels.changes,
          countedInputs,
        },
        this.lookUpModel,
      );
    }
    return this.columns;
  }

  /** Tokenizer tokens by block, as far as they are counted. */
  get tokenizerTokens(): Uint32Array {
    return this.measuring.tokens;
  }

  /** The known facts about a model. The user's settings take precedence. */
  modelRow(id: string): ReturnType<ModelLookUp> {
    return this.lookUpModel(id);
  }

  /** Replaces the user's settings for models. Nothing is read or counted again. */
  setModels(models: UserModels): void {
    this.lookUpModel = lookUpWith(models);
    this.columns = undefined;
  }

  /**
   * Takes a provider's count of a whole request, which makes its total exact. Refused if usage is recorded, which is
   * exact already, or if the transcript lacks part of the request.
   * @returns whether it was taken
   */
  setCountedInput(request: number, tokens: number): boolean {
    const recorded = this.transcript.requests[request];
    const { input = 0, cacheRead = 0, cacheWrite = 0 } = recorded?.usage ?? {};
    if (recorded?.complete !== true || input + cacheRead + cacheWrite > 0 || tokens <= 0) {
      return false;
    }
    this.countedInputs.set(request, tokens);
    this.columns = undefined;
    return true;
  }

  /** Counts every block with the tokenizer of the model's family, those of the newest request first. */
  countTokens(options: WorkOptions = {}): Promise<void> {
    return this.measuring.measure(measureSteps.count, options);
  }

  /** Looks for credentials and personal data in every block, those of the newest request first. */
  scan(options: WorkOptions = {}): Promise<void> {
    return this.measuring.measure(measureSteps.scan, options);
  }

  /** Counts and scans in one pass; a helper takes part of the work and does not change the figures. */
  measure(options: WorkOptions = {}, helper?: TextMeasurer): Promise<void> {
    return this.measuring.measure(measureSteps.count | measureSteps.scan, options, helper);
  }

  /** UTF-8 bytes of the texts that `measure` would look at. */
  get bytesLeft(): number {
    return this.measuring.bytesLeft;
  }

  /** Adopts the results of an earlier opening, by content hash. */
  takeKnown(known: ReadonlyMap<string, KnownMeasure>): void {
    this.measuring.takeKnown(known);
  }

  /** Results that a later opening can adopt, by content hash. */
  known(): ReadonlyMap<string, KnownMeasure> {
    return this.measuring.known();
  }

  /**
   * The exact texts of blocks with the records that they are in, in file order.
   * @param known texts that need not be read; they come without their records
   */
  textsOf(
    blocks: readonly number[],
    known?: (block: number) => string | undefined,
  ): AsyncGenerator<ReadText> {
    return this.texts.readAll(blocks, known);
  }

  /** The blocks of a request in wire order, or the first `limit` of them, with their texts. */
  async requestTexts(request: number, limit = Number.POSITIVE_INFINITY): Promise<readonly TextBlock[]> {
    const { blocks, contexts, requests } = this.transcript;
    const found = requests[request];
    const numbers =
      found === undefined ? [] : (contexts[found.context] ?? []).slice(0, Math.min(limit, found.length));
    const texts = new Map<number, string>();
    for await (const { block, text } of this.texts.readAll([...new Set(numbers)])) {
      texts.set(block, text);
    }
    return numbers.flatMap(number => {
      const block = blocks.at(number);
      return block === undefined ? [] : [{ block, text: texts.get(number) ?? '' }];
    });
  }

  /** The body of a request as it was sent, as parsed JSON; undefined if the transcript does not have it. */
  async requestBody(request: number): Promise<unknown> {
    const { body } = this.transcript.requests[request] ?? {};
    return body === undefined ? undefined : parseJson(await this.texts.readAt(body.text));
  }

  /** The page of a block's text that holds an offset, with everything sensitive masked unless `reveal` is set. */
  async blockText(block: number, offset: number, reveal: boolean): Promise<BlockText> {
    const text = await this.texts.read(block);
    const isImage = this.isImage(block);
    const findings = isImage ? [] : await this.findingsIn(text);
    const shown = isImage ? '' : text;
    const { form, rows: all } = rowsOf(shown);
    const { rows, start, end, page, pages } = pageAt(
      reveal ? all : outsideRanges(all, findings),
      offset,
      shown.length,
    );
    return {
      segments: reveal ? [{ text: shown.slice(start, end) }] : maskPage(shown, findings, start, end),
      start,
      end,
      characters: shown.length,
      page,
      pages,
      form,
      rows: [...rows],
      findings: [...findings],
      irHash: digest(normalizeWhitespace(text)),
    };
  }

  /** The whole text of a block, with everything sensitive replaced by the name of its rule unless `reveal` is set. */
  async wholeText(block: number, reveal: boolean): Promise<string> {
    const text = await this.texts.read(block);
    if (this.isImage(block)) {
      return '';
    }
    return reveal
      ? text
      : maskText(text, await this.findingsIn(text))
          .map(segment => ('text' in segment ? segment.text : redactionMark(segment.rule)))
          .join('');
  }

  /** The picture in a block. Rejects with one sentence if it cannot be shown. */
  async blockImage(block: number): Promise<BlockImage> {
    return imageFrom(await this.texts.read(block));
  }

  /** Images have no text that could be searched. */
  isImage(block: number): boolean {
    return this.transcript.blocks.at(block)?.contentType === 'image';
  }

  /** The number of findings in a block's text; undefined if it has not been scanned yet. */
  scanned(block: number): number | undefined {
    return this.measuring.findingsOf(block);
  }

  /** The texts that were searched without finding anything. */
  cleanTexts(): TextHashes {
    return this.measuring.cleanTexts();
  }

  /** The names of a block without secrets: its label, its tool and its path. */
  namesOf(block: number): readonly string[] {
    const { label = '', toolName = '', path = '' } = this.transcript.blocks.at(block) ?? {};
    return [this.measuring.labels.of(label), toolName, path];
  }

  /** A gate with the session's scanner. It knows nothing yet. */
  openGate(options: GateOptions): Gate {
    return new Gate(this.scanner, options);
  }

  /** Sensitive parts of a text, used for the colour of a block. */
  async findingsIn(text: string): Promise<readonly SensitivityFinding[]> {
    if (this.lastFound?.text !== text) {
      this.lastFound = { text, findings: withoutHomeFolders(await scanText(text, this.scanner)) };
    }
    return this.lastFound.findings;
  }
}
