import { pairsToRead } from '../cache/brokenRequests';
import type { CacheReport } from '../cache/cacheFinding';
import { cacheReport, findCacheBreaks, outlineCache } from '../cache/cacheReport';
import { CacheSession } from '../cache/cacheSession';
import { compareTexts } from '../cache/textChange';
import { charTokenEngine } from '../context/charTokenEngine';
import { digest, normalizeWhitespace } from '../context/canonicalJson';
import { commonTurnPrefix, extendsFingerprint, prefixFingerprint } from '../context/fingerprint';
import { renderContext } from '../context/render';
import { totalTokens } from '../context/totalTokens';
import { CancelledError } from '../formats/chunks';
import type { LineReading } from '../formats/lineReading';
import { readOn, readTranscript, type ReadOptions } from '../formats/readTranscript';
import type { ByteSource } from '../model/byteSource';
import type { Session, SessionColumns, SessionSummary } from '../model/columns';
import { sensitivityLabels } from '../model/labels';
import type { PromptIR } from '../model/promptIr';
import type { HashText } from '../model/sha256';
import type { PruneOptions } from '../model/pruneConfig';
import type { PrefixFingerprint } from '../model/renderedContext';
import type { Transcript } from '../model/transcript';
import { turnLength, type WorkOptions } from '../model/work';
import { replayPrune } from '../prune/replay';
import { summariseReplay, type ReplaySummary } from '../prune/replaySummary';
import {
  findBestMoment,
  findBestOptions,
  runSearch,
  type Found,
  type PruneMomentChoice,
  type PruneOptionsChoice,
  type Search,
} from '../prune/search';
import type { SensitivityFinding } from '../sensitivity/finding';
import { maskLabel, maskLabelAlone } from '../sensitivity/maskLabel';
import { maskText, type TextSegment } from '../sensitivity/maskText';
import type { SecretScanner } from '../sensitivity/scanner';
import { scanText, scanTexts } from '../sensitivity/scanTexts';
import { loadTokenizer } from '../tokens/bytePairTokenizer';
import { createCountCache } from '../tokens/countCache';
import { imageTokens } from '../tokens/imageTokens';
import type { ModelLookUp } from '../tokens/modelTable';
import type { TokenCounter } from '../tokens/tokenCounter';
import type { Encoding } from '../tokens/tokenizer';
import { unknownPrior } from '../tokens/tokenizerPrior';
import { lookUpWith, type UserModels } from '../tokens/userModels';
import { idealLayout } from '../stability/idealLayout';
import { stablePrefixFingerprint } from '../stability/prefixFingerprint';
import { stabilityReport } from '../stability/stabilityReport';
import type { BlockText, RenderedSummary, StabilityAnswer } from './answers';
import { contextPartitionsOf, type TextBlock } from './contextPartitionsOf';
import { frozenHistoryLengths } from './frozenPrefix';
import type { KnownMeasure } from './knownMeasure';
import { promptIrOf } from './promptIrOf';
import { buildRequestView, spanIds } from './requestView';
import { sentText, Tally } from './tally';
import { TextReader, type ReadText } from './textReader';
import { ColumnBuilder, type BlockMeasures } from './toColumns';

export type OpenResult =
  | { readonly ok: true; readonly session: TranscriptSession }
  | { readonly ok: false; readonly sentence: string };

export interface OpenOptions extends ReadOptions {
  readonly fileName: string;
  /** Looks for credentials, beside the program's own detectors. */
  readonly scanner: SecretScanner;
  /** Count tokens in the same pass; otherwise `countTokens` does it in a second one, when the session is there. */
  readonly countWhileReading?: boolean | undefined;
  /** Counts part of it beside the reading, where it can. */
  readonly tokenCounter?: TokenCounter | undefined;
  /** Whether the file may grow while the session is open; `false` keeps nothing of what reading on would take. */
  readonly mayGrow?: boolean | undefined;
  /** An earlier reading of the same file: what was counted and scanned there is not done again. */
  readonly previous?: TranscriptSession | undefined;
  /** What the user says of models. */
  readonly models?: UserModels | undefined;
}

/** Reads a transcript, with token figures guessed from sizes. See readTranscript for what it answers and throws. */
export async function openTranscript(source: ByteSource, options: OpenOptions): Promise<OpenResult> {
  const grown = options.previous?.reading;
  // Most models' encoding: what turns out to be another one's is counted anew.
  const tally =
    options.countWhileReading === true
      ? new Tally(await loadTokenizer(unknownPrior.encoding), options.tokenCounter)
      : undefined;
  const result =
    (grown === undefined ? undefined : await readOn(grown, source, options)) ??
    (await readTranscript(source, {
      ...options,
      visitText: tally === undefined ? undefined : (...visited) => tally.count(...visited),
    }));
  await tally?.finish();
  return result.ok
    ? {
        ok: true,
        session: new TranscriptSession(
          result.transcript,
          new TextReader(result.source ?? source, result.transcript, result.document, options.decodeText),
          options,
          // Packed bytes do not grow at their end.
          result.source === undefined && options.mayGrow !== false ? result.reading : undefined,
          tally,
        ),
      }
    : result;
}

/** UTF-8 bytes for a token of ordinary text and code; what stands until a block is counted. */
const bytesPerToken = 4;

/** The size of the window for the upstream's renderer where the model's is not known, in tokens. */
const assumedWindow = 200_000;

/** Points of the chart of a replay. */
const replayPoints = 120;

/** Messages that the upstream's renderer keeps whole (deepstrike-core 0.2.34, ContextConfig). */
const preserveRecentMsgs = 4;

/** An open transcript: its columns, which get better while it is counted and scanned, and its texts on demand. */
export class TranscriptSession {
  readonly encoding: Encoding;
  private readonly fileName: string;
  private readonly hashText: HashText | undefined;
  private readonly scanner: SecretScanner;
  private readonly measures: BlockMeasures;
  private readonly countedInputs = new Map<number, number>();
  /** 1 for the blocks whose text has been looked at by the scanner. */
  private readonly scanned: Uint8Array;
  /** By label: calls and their results share one, and the title is that of the first prompt. */
  private shownLabels = new Map<string, string>();
  private labelChanges = 0;
  private columnBuilder = new ColumnBuilder();
  private columns: SessionColumns | undefined;
  /** For the questions about the cache, of the columns as they are. */
  private prepared: CacheSession | undefined;
  private searches = 0;
  private report: { readonly columns: SessionColumns; readonly answer: Promise<CacheReport> } | undefined;
  private lookUpModel: ModelLookUp;

  constructor(
    readonly transcript: Transcript,
    private readonly texts: TextReader,
    { fileName, scanner, previous, models = {}, hashText }: OpenOptions,
    /** For a file of lines: where the next session goes on when the file has grown. */
    readonly reading?: LineReading,
    tally?: Tally,
  ) {
    this.lookUpModel = lookUpWith(models);
    this.fileName = fileName;
    this.hashText = hashText;
    this.scanner = scanner;
    const { blocks } = transcript;
    this.encoding = (this.lookUpModel(this.model)?.tokenizerPrior ?? unknownPrior).encoding;
    this.measures = {
      tokens: new Uint32Array(blocks.length),
      counted: new Uint8Array(blocks.length),
      sensitivity: new Uint8Array(blocks.length),
      findings: new Uint16Array(blocks.length),
      shownLabel: label => this.shownLabel(label),
      countedInputs: this.countedInputs,
    };
    this.scanned = new Uint8Array(blocks.length);
    this.estimateFrom(previous === undefined ? 0 : this.adopt(previous));
    if (tally?.encoding === this.encoding) {
      this.take(tally);
    }
  }

  private take(tally: Tally): void {
    this.transcript.blocks.forEach(({ contentType }, number) => {
      if (contentType !== 'image') {
        this.measures.tokens[number] = tally.countOf(number);
        this.measures.counted[number] = 1;
      }
    });
  }

  /** Figures from sizes for the blocks from `first` on that are not counted. */
  private estimateFrom(first: number): void {
    const { tokens, counted } = this.measures;
    const { blocks } = this.transcript;
    for (let number = first; number < blocks.length; number += 1) {
      const block = blocks[number];
      if (block !== undefined && counted[number] === 0) {
        tokens[number] =
          block.contentType === 'image'
            ? imageTokens(block.image?.width, block.image?.height)
            : Math.ceil(block.size.bytes / bytesPerToken);
      }
    }
  }

  /**
   * Takes over what an earlier reading found out about the same contents. Gives how many blocks at the beginning have
   * all of its figures.
   */
  private adopt(previous: TranscriptSession): number {
    const { transcript, measures, scanned, encoding, shownLabels } = previous;
    for (const [request, tokens] of previous.countedInputs) {
      if (transcript.requests[request] === this.transcript.requests[request]) {
        this.countedInputs.set(request, tokens);
      }
    }
    this.shownLabels = shownLabels;
    this.labelChanges = previous.labelChanges;
    const same = this.sameBlocks(transcript);
    if (same > 0) {
      this.columnBuilder = previous.columnBuilder;
      if (encoding === this.encoding) {
        this.measures.tokens.set(measures.tokens.subarray(0, same));
        this.measures.counted.set(measures.counted.subarray(0, same));
      }
      this.measures.sensitivity.set(measures.sensitivity.subarray(0, same));
      this.measures.findings.set(measures.findings.subarray(0, same));
      this.scanned.set(scanned.subarray(0, same));
      return encoding === this.encoding ? same : 0;
    }
    const known = new Map(transcript.blocks.map(({ contentHash }, index) => [contentHash, index]));
    this.transcript.blocks.forEach(({ contentHash }, index) => {
      const before = known.get(contentHash);
      if (before === undefined) {
        return;
      }
      if (encoding === this.encoding && measures.counted[before] === 1) {
        this.measures.tokens[index] = measures.tokens[before] ?? 0;
        this.measures.counted[index] = 1;
      }
      if (scanned[before] === 1) {
        this.measures.sensitivity[index] = measures.sensitivity[before] ?? 0;
        this.measures.findings[index] = measures.findings[before] ?? 0;
        this.scanned[index] = 1;
      }
    });
    return 0;
  }

  /** Takes over what an earlier opening found out, by content hash. */
  takeKnown(known: ReadonlyMap<string, KnownMeasure>): void {
    const { tokens, counted } = this.measures;
    this.transcript.blocks.forEach(({ contentHash, contentType }, number) => {
      const measure = known.get(contentHash);
      if (measure?.tokens !== undefined && contentType !== 'image') {
        tokens[number] = measure.tokens;
        counted[number] = 1;
      }
      if (measure?.isClean === true) {
        this.scanned[number] = 1;
      }
    });
    this.columns = undefined;
  }

  /** What a later opening need not find out again, by content hash. */
  known(): ReadonlyMap<string, KnownMeasure> {
    const { tokens, counted, findings } = this.measures;
    return new Map(
      this.transcript.blocks.map(({ contentHash }, number) => [
        contentHash,
        {
          tokens: counted[number] === 1 ? tokens[number] : undefined,
          isClean: this.scanned[number] === 1 && findings[number] === 0,
        },
      ]),
    );
  }

  /** How many blocks at the beginning are those of the earlier reading itself, which was only taken up again. */
  private sameBlocks({ blocks }: Transcript): number {
    let same = 0;
    while (same < blocks.length && blocks[same] === this.transcript.blocks[same]) {
      same += 1;
    }
    return same;
  }

  /** The model of the newest request of the main conversation, empty where none is recorded. */
  get model(): string {
    const { requests } = this.transcript;
    return (
      requests.findLast(({ thread, model }) => thread === 0 && model !== undefined)?.model ??
      requests.findLast(({ model }) => model !== undefined)?.model ??
      ''
    );
  }

  /** The bytes that the texts are read from: unpacked, where the file is packed. */
  get source(): ByteSource {
    return this.texts.source;
  }

  /** The exact texts of blocks with the records that they are in, in file order. */
  textsOf(blocks: readonly number[]): AsyncGenerator<ReadText> {
    return this.texts.readAll(blocks);
  }

  toSession(): Session {
    const { format, agent, title, messages, compactions, subagents, conversations, problems, leftOut } =
      this.transcript;
    return {
      summary: {
        format,
        agent,
        title: title === undefined ? this.fileName : this.shownLabel(title),
        model: this.model,
        models: this.models(),
        messages: messages.length,
        compactions,
        subagents: subagents.map(subagent =>
          subagent.description === undefined
            ? subagent
            : { ...subagent, description: this.shownLabel(subagent.description) },
        ),
        conversations: conversations.map(conversation => ({
          ...conversation,
          title: this.shownLabel(conversation.title),
        })),
        problems,
        leftOut,
        encoding: this.encoding,
      },
      columns: this.currentColumns(),
    };
  }

  /** Takes other words of the user on models; figures follow without reading or counting again. */
  setModels(models: UserModels): void {
    this.lookUpModel = lookUpWith(models);
    this.columns = undefined;
  }

  /**
   * Takes a provider's count of a whole request, whose total is exact from now on. Not where usage is recorded, which is
   * exact already, nor where the transcript lacks part of the request.
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

  /** What is known of a model, the user's own words first. */
  modelRow(id: string): ReturnType<ModelLookUp> {
    return this.lookUpModel(id);
  }

  private models(): SessionSummary['models'] {
    const ids = new Set(this.transcript.requests.flatMap(({ model }) => model ?? []));
    return [...ids].flatMap(id => {
      const row = this.lookUpModel(id);
      return row === undefined ? [] : [{ id, row }];
    });
  }

  private currentColumns(): SessionColumns {
    const { labelChanges } = this;
    this.columns ??= this.columnBuilder.build(
      this.transcript,
      { ...this.measures, labelChanges },
      this.lookUpModel,
    );
    return this.columns;
  }

  /** A label without the secrets that are known so far. */
  private shownLabel(label: string): string {
    const known = this.shownLabels.get(label);
    if (known !== undefined) {
      return known;
    }
    const shown = maskLabelAlone(label);
    this.shownLabels.set(label, shown);
    return shown;
  }

  private maskLabelOf(block: number, secrets: readonly string[]): void {
    const label = this.transcript.blocks[block]?.label;
    if (label !== undefined && secrets.length > 0) {
      const shown = this.shownLabel(label);
      const masked = maskLabel(shown, secrets);
      if (masked !== shown) {
        this.shownLabels.set(label, masked);
        this.labelChanges += 1;
      }
    }
  }

  /** Counts every block with the tokenizer of the model's family, those of the newest request first. */
  async countTokens(options: WorkOptions = {}): Promise<void> {
    const { tokens, counted } = this.measures;
    const { blocks } = this.transcript;
    const groups = this.newestFirst(
      number => counted[number] === 0 && blocks[number]?.contentType !== 'image',
    );
    if (groups.length === 0) {
      return;
    }
    const cache = createCountCache(await loadTokenizer(this.encoding));
    await this.forEachText(groups, options, (number, text) => {
      const block = blocks[number];
      if (block !== undefined) {
        tokens[number] = cache.count(block.contentHash, sentText(block, text));
        counted[number] = 1;
        this.columns = undefined;
      }
    });
  }

  /** Looks for credentials and personal data in every block. */
  async scan({ isCancelled, onProgress }: WorkOptions = {}): Promise<void> {
    const { sensitivity, findings } = this.measures;
    const groups = this.newestFirst(number => this.scanned[number] === 0);
    const total = groups.reduce((sum, { length }) => sum + length, 0);
    let done = 0;
    for await (const { key, text, label, findings: found } of scanTexts(
      this.keyedTexts(groups),
      this.scanner,
    )) {
      throwIfCancelled(isCancelled);
      this.columns = undefined;
      this.maskLabelOf(
        key,
        found.map(({ start, end }) => text.slice(start, end)),
      );
      sensitivity[key] = sensitivityLabels.indexOf(label);
      findings[key] = Math.min(found.length, 0xffff);
      this.scanned[key] = 1;
      done += 1;
      onProgress?.(done, total);
    }
  }

  private async *keyedTexts(
    groups: readonly (readonly number[])[],
  ): AsyncGenerator<{ key: number; text: string }> {
    for (const group of groups) {
      for await (const { block, text } of this.texts.readAll(group)) {
        // The base64 of an image is no text that a rule could speak of.
        yield { key: block, text: this.transcript.blocks[block]?.contentType === 'image' ? '' : text };
      }
    }
  }

  private async forEachText(
    groups: readonly (readonly number[])[],
    { isCancelled, onProgress }: WorkOptions,
    visit: (block: number, text: string) => void,
  ): Promise<void> {
    const total = groups.reduce((sum, { length }) => sum + length, 0);
    let done = 0;
    let turnEnds = Date.now() + turnLength;
    for (const group of groups) {
      for await (const { block, text } of this.texts.readAll(group)) {
        throwIfCancelled(isCancelled);
        visit(block, text);
        done += 1;
        if (Date.now() > turnEnds) {
          onProgress?.(done, total);
          await new Promise<void>(resolve => {
            setTimeout(resolve, 0);
          });
          turnEnds = Date.now() + turnLength;
        }
      }
      onProgress?.(done, total);
    }
  }

  /** Blocks that are wanted: those of the newest request, then the others; each group is read in file order. */
  private newestFirst(isWanted: (block: number) => boolean): readonly (readonly number[])[] {
    const { blocks, contexts, requests } = this.transcript;
    const last = requests.at(-1);
    const newest = (last === undefined ? [] : (contexts[last.context] ?? []).slice(0, last.length)).filter(
      isWanted,
    );
    const isNewest = new Set(newest);
    const others: number[] = [];
    for (let block = 0; block < blocks.length; block += 1) {
      if (isWanted(block) && !isNewest.has(block)) {
        others.push(block);
      }
    }
    return [[...isNewest], others].filter(({ length }) => length > 0);
  }

  /** A page of a block's text, with everything sensitive masked unless `reveal` is set. */
  async blockText(block: number, start: number, length: number, reveal: boolean): Promise<BlockText> {
    const text = await this.texts.read(block);
    const isImage = this.transcript.blocks[block]?.contentType === 'image';
    const findings = isImage ? [] : await this.findingsOf(text);
    const shown = isImage ? '' : text;
    const end = Math.min(shown.length, start + length);
    return {
      segments: reveal ? [{ text: shown.slice(start, end) }] : maskedPage(shown, findings, start, end),
      start,
      end,
      characters: shown.length,
      findings,
      irHash: digest(normalizeWhitespace(text)),
    };
  }

  private findingsOf(text: string): Promise<readonly SensitivityFinding[]> {
    return scanText(text, this.scanner);
  }

  /**
   * The cache boundaries of all requests, and why the cache broke where it did. Computed once for the columns as they are;
   * reads no texts but those of blocks that changed.
   */
  cacheReport(): Promise<CacheReport> {
    const columns = this.currentColumns();
    if (this.report?.columns !== columns) {
      this.report = { columns, answer: this.makeCacheReport() };
    }
    return this.report.answer;
  }

  private async makeCacheReport(): Promise<CacheReport> {
    const session = this.cacheSession();
    const outline = outlineCache(session);
    const changed = new Set(
      outline.broken.flatMap(broken => pairsToRead(broken).flatMap(({ before, after }) => [before, after])),
    );
    const texts = new Map<number, string>();
    for await (const { block, text } of this.texts.readAll([...changed])) {
      texts.set(block, text);
    }
    const findings = findCacheBreaks(session, outline, ({ before, after }) =>
      compareTexts(texts.get(before) ?? '', texts.get(after) ?? ''),
    );
    return cacheReport(session, outline, findings);
  }

  private cacheSession(): CacheSession {
    const columns = this.currentColumns();
    if (this.prepared?.columns !== columns) {
      this.prepared = new CacheSession(this.toSession());
    }
    return this.prepared;
  }

  /** What the rest of the session would have cost, had it been pruned at a request and then as its rule set would have. */
  pruneReplay(request: number, options: PruneOptions): ReplaySummary {
    return summariseReplay(replayPrune(this.cacheSession(), request, options), replayPoints);
  }

  /** The requests of a request's conversation at which a prune gains most. A later search cancels an earlier one. */
  bestMoment(request: number, options: PruneOptions): Promise<Found<PruneMomentChoice>> {
    const session = this.cacheSession();
    return this.search(findBestMoment(session, session.threadOf(request), options));
  }

  /** The rule sets and thresholds that gain most from a request on. A later search cancels an earlier one. */
  bestOptions(request: number, options: PruneOptions): Promise<Found<PruneOptionsChoice>> {
    return this.search(findBestOptions(this.cacheSession(), request, options));
  }

  private search<Result>(search: Search<Result>): Promise<Result> {
    this.searches += 1;
    const started = this.searches;
    return runSearch(search, { isCancelled: () => started !== this.searches });
  }

  /** The stability of a request's context over the requests before it; reads the texts of the stable prefix. */
  async stability(request: number): Promise<StabilityAnswer> {
    const columns = this.currentColumns();
    if (this.transcript.requests[request] === undefined) {
      throw new Error(`There is no request ${request}.`);
    }
    const models = this.models();
    const report = stabilityReport(columns, models, request);
    const texts = await this.requestTexts(request, report.stablePrefixBlocks);
    const fingerprint = stablePrefixFingerprint(
      columns,
      request,
      texts.map(({ text }) => text),
    );
    return {
      report,
      layout: idealLayout(columns, models, report),
      ...(fingerprint === undefined ? {} : { fingerprint }),
    };
  }

  /** A request in the upstream's four slots, beside the request before it in the same thread. */
  async rendered(request: number): Promise<RenderedSummary> {
    const current = await this.render(request);
    const thread = this.transcript.requests[request]?.thread;
    const before = this.transcript.requests.findLastIndex(
      (other, index) => index < request && other.thread === thread,
    );
    const previous = before < 0 ? undefined : (await this.render(before)).fingerprint;
    const ir = await this.promptIr(request, { irId: emptyUuid, createdAt: new Date(0).toISOString() });
    const { partitions, context, fingerprint } = current;
    const state = context.stateTurn?.content;
    return {
      systemStableTokens: partitions.system.tokenCount,
      systemKnowledgeTokens: partitions.knowledge.tokenCount,
      historyTokens: partitions.history.tokenCount,
      totalTokens: totalTokens(partitions, charTokenEngine),
      turns: context.turns.length,
      ...(typeof state === 'string'
        ? { stateTurn: maskedPage(state, await this.findingsOf(state), 0, state.length) }
        : {}),
      ...(context.frozenPrefixLen === undefined ? {} : { frozenPrefixLen: context.frozenPrefixLen }),
      systemStableHash: fingerprint.systemStableHash,
      systemKnowledgeHash: fingerprint.systemKnowledgeHash,
      ...(previous === undefined
        ? {}
        : {
            extendsPrevious: extendsFingerprint(fingerprint, previous),
            commonTurnPrefix: commonTurnPrefix(fingerprint, previous),
          }),
      irBlocks: ir.blocks.length,
      sourceRequestHash: ir.sourceRequestHash ?? '',
    };
  }

  /** A request in the upstream's partitions and slots, with its fingerprint. */
  async render(request: number) {
    const blocks = await this.requestTexts(request);
    const partitions = contextPartitionsOf(blocks);
    const window = this.currentColumns().requests.window[request] ?? 0;
    const context = renderContext(partitions, {
      budget: window === 0 ? assumedWindow : window,
      engine: charTokenEngine,
      preserveRecentMsgs,
      frozenHistoryLen: frozenHistoryLengths(this.transcript)[request] ?? 0,
    });
    const fingerprint: PrefixFingerprint = prefixFingerprint(context);
    return { partitions, context, fingerprint };
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
      const block = blocks[number];
      return block === undefined ? [] : [{ block, text: texts.get(number) ?? '' }];
    });
  }

  /** The Prompt IR of a request. */
  async promptIr(
    request: number,
    identity: { readonly irId: string; readonly createdAt: string },
  ): Promise<PromptIR> {
    const columns = this.currentColumns();
    const view = buildRequestView(columns, request);
    const texts = await this.requestTexts(request);
    const ids = spanIds(columns, view);
    return promptIrOf(
      texts.flatMap((source, position) => {
        const id = ids[position];
        return id === undefined
          ? []
          : [
              {
                ...source,
                sequenceIndex: id.sequenceIndex,
                tokens: view.tokens[position] ?? 0,
                sensitivity: columns.blocks.sensitivity[view.blocks[position] ?? 0] ?? 0,
              },
            ];
      }),
      { ...identity, modelFamily: this.lookUpModel(this.model)?.family ?? this.model },
      this.hashText,
    );
  }
}

const emptyUuid = '00000000-0000-4000-8000-000000000000';

function throwIfCancelled(isCancelled: (() => boolean) | undefined): void {
  if (isCancelled?.() === true) {
    throw new CancelledError();
  }
}

/** The segments of a page: findings that reach into it are masked as far as they do. */
function maskedPage(
  text: string,
  findings: readonly SensitivityFinding[],
  start: number,
  end: number,
): readonly TextSegment[] {
  const inPage = findings
    .filter(finding => finding.end > start && finding.start < end)
    .map(finding => ({
      ...finding,
      start: Math.max(0, finding.start - start),
      end: Math.min(end, finding.end) - start,
    }));
  return maskText(text.slice(start, end), inPage);
}
