/**
 * The columns of a session. A new column is one line here plus the code that fills it; types, packing, updates and lists
 * follow from this schema. Enumerations are indices into their arrays in model/labels.ts, model/block.ts and
 * model/columns.ts.
 */

/** What reading a transcript finds out about a block. Row i is block i. */
export const readBlockTypes = {
  role: 'uint8',
  contentType: 'uint8',
  kind: 'uint8',
  provenance: 'uint8',
  partition: 'uint8',
  /** Bits of `blockFlags`. */
  flags: 'uint8',
  /** UTF-16 units of the text; 0 for an image. */
  characters: 'uint32',
  /** UTF-8 bytes of the text; of an image, those of its encoded data. */
  bytes: 'uint32',
  /** Index into `textKinds`. */
  textKind: 'uint8',
  /** The content hash in two words. */
  hashHigh: 'uint32',
  hashLow: 'uint32',
  /** The first block of the same content: equal for equal contents. */
  content: 'uint32',
  /** Index into `Transcript.messages`. */
  message: 'uint32',
  label: 'text',
  tool: 'text',
  callId: 'text',
  path: 'text',
  /** 1-based line in the transcript. */
  line: 'uint32',
} as const;

/** A block as readers and views see it. */
export const blockTypes = {
  ...readBlockTypes,
  /** Index into sensitivityLabels; public until the scan is finished. */
  sensitivity: 'uint8',
  /** Number of sensitivity findings. */
  findings: 'uint16',
  /**
   * Tokens in the provider's count: the block's share of the recorded growth of the request that first held it, or what is
   * expected of it. Less certain where `counted` is 0.
   */
  tokens: 'uint32',
  counted: 'uint8',
  /**
   * The first request that no longer carried it though no record says so: thinking of an earlier turn, a reply that was not
   * sent again, a result that the agent probably cleared; -1 where there is none.
   */
  leftAt: 'int32',
  /** The paired call or result, -1 where there is none. */
  pair: 'int32',
  /** The first request whose context holds the block, -1 if none. */
  firstRequest: 'int32',
  /** In how many requests of its thread it was sent. */
  requestCount: 'uint32',
  /** Milliseconds since 1970, NaN where not recorded. */
  timestamp: 'float64',
} as const;

/** One row per request, of all threads, in file order. */
export const requestTypes = {
  context: 'uint32',
  /** Number of leading blocks of the context. */
  length: 'uint32',
  thread: 'uint16',
  /** Milliseconds since 1970, NaN where not recorded. */
  timestamp: 'float64',
  model: 'text',
  /** Recorded tokens; meaningful where the `recorded` bit is set. */
  input: 'uint32',
  cacheRead: 'uint32',
  cacheWrite: 'uint32',
  output: 'uint32',
  /** Tokens of the reply's blocks, in the provider's count. */
  replyTokens: 'uint32',
  /** How long the provider was asked to keep what the request wrote, in seconds; 0 where not recorded. */
  cacheLifetime: 'uint32',
  /** Part of `cacheWrite` that was written for an hour. */
  cacheWriteHour: 'uint32',
  /** US dollars that the agent recorded for it; NaN where it recorded none. */
  recordedCost: 'float64',
  /** Bits of `requestFlags`. */
  flags: 'uint8',
  /** Context window in tokens, 0 where unknown. */
  window: 'uint32',
  /** Index into windowSources; meaningful where the window is known. */
  windowSource: 'uint8',
  /** The larger window that the request may have had as well; 0 where there is none. */
  otherWindow: 'uint32',
  /** Leading blocks that equal an earlier request and that its provider could still have cached. */
  predictedBlocks: 'uint32',
  /** Index into predictionReasons: why the prediction ends where it ends. */
  predictionReason: 'uint8',
  /** The earlier request that the predicted blocks equal, -1 where there is none. */
  predictedFrom: 'int32',
  /** Recorded tokens for one token of the tokenizer, and the relative error that nine of ten blocks stay below. */
  scale: 'float32',
  scaleError: 'float32',
  /** Input tokens that no block accounts for, and their relative error. */
  notRecorded: 'uint32',
  notRecordedError: 'float32',
  /** Tokens that came (positive) or left (negative) with the request, without a block and without a record of it. */
  jump: 'int32',
  /** Relative error of the total where none is recorded. */
  totalError: 'float32',
  /** What the provider says about its cache: one more than the index into cacheDiagnosisTypes, 0 where it said nothing. */
  diagnosis: 'uint8',
  /** Tokens that the provider names with it, -1 where it names none. */
  diagnosisTokens: 'int32',
  /** What the agent says that the request came from (`Attribution`). */
  skill: 'text',
  plugin: 'text',
  agent: 'text',
  mcpServer: 'text',
  effort: 'text',
  /** Leading turns frozen by the upstream's rule for `frozenPrefixLen`; -1 where absent. */
  frozenPrefixLen: 'int32',
  /** 1-based line in the transcript. */
  line: 'uint32',
} as const;
