/**
 * The columns of a session. A new column is one line here plus the code that fills it; types, packing, updates and lists
 * follow from this schema. Enumerations are indices into their arrays in model/labels.ts, model/block.ts and
 * model/columns.ts.
 */

/** The facts about a block known from reading. Row i is block i. */
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
  /** UTF-8 bytes of the text. For an image, bytes of its encoded data. */
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

/** A block in the form for readers and views. */
export const blockTypes = {
  ...readBlockTypes,
  /** Index into sensitivityLabels; public until the scan is finished. */
  sensitivity: 'uint8',
  /** Number of sensitivity findings. */
  findings: 'uint16',
  /**
   * Tokens in the provider's count: the block's share of the recorded growth of the request that first contained it, or
   * the expected tokens. Less certain if `counted` is 0.
   */
  tokens: 'uint32',
  counted: 'uint8',
  /**
   * The first request that no longer carried the block, although no record says so: thinking of an earlier turn, a
   * reply that was not sent again, a result that the agent probably cleared; -1 if there is none.
   */
  leftAt: 'int32',
  /** The paired call or result; -1 if there is none. */
  pair: 'int32',
  /** The first request whose context contains the block; -1 if none. */
  firstRequest: 'int32',
  /** Number of requests of its thread that sent it. */
  requestCount: 'uint32',
  /** Milliseconds since 1970; NaN if not recorded. */
  timestamp: 'float64',
} as const;

/** One row per request, of all threads, in file order. */
export const requestTypes = {
  context: 'uint32',
  /** Number of leading blocks of the context. */
  length: 'uint32',
  thread: 'uint16',
  /** Milliseconds since 1970; NaN if not recorded. */
  timestamp: 'float64',
  model: 'text',
  /** Recorded tokens. Meaningful only if the `recorded` bit is set. */
  input: 'uint32',
  cacheRead: 'uint32',
  cacheWrite: 'uint32',
  output: 'uint32',
  /** Tokens of the reply's blocks, in the provider's count. */
  replyTokens: 'uint32',
  /** The requested lifetime of this request's cache writes, in seconds; 0 if not recorded. */
  cacheLifetime: 'uint32',
  /** The part of `cacheWrite` with a lifetime of an hour. */
  cacheWriteHour: 'uint32',
  /** US dollars that the agent recorded for it; NaN if it recorded none. */
  recordedCost: 'float64',
  /** `billingText` of the usage. */
  billing: 'text',
  /** Bits of `requestFlags`. */
  flags: 'uint8',
  /** Context window in tokens; 0 if unknown. */
  window: 'uint32',
  /** Index into windowSources. Meaningful only if the window is known. */
  windowSource: 'uint8',
  /** A larger window that the request may have had; 0 if there is none. */
  otherWindow: 'uint32',
  /** Leading blocks that equal an earlier request and that the provider may still have cached. */
  predictedBlocks: 'uint32',
  /** Index into predictionReasons: the reason why the prediction ends there. */
  predictionReason: 'uint8',
  /** The earlier request that the predicted blocks equal; -1 if there is none. */
  predictedFrom: 'int32',
  /** Recorded tokens per tokenizer token, and the relative error; nine of ten blocks are below it. */
  scale: 'float32',
  scaleError: 'float32',
  /** Input tokens that belong to no block, and their relative error. */
  notRecorded: 'uint32',
  notRecordedError: 'float32',
  /** Tokens added (positive) or removed (negative) with the request, without a block and without a record. */
  jump: 'int32',
  /** Relative error of a total that is not recorded. -1 if its unrecorded part is unknown. */
  totalError: 'float32',
  /** The provider's report on its cache: the index into cacheDiagnosisTypes plus one; 0 without a report. */
  diagnosis: 'uint8',
  /** Tokens named in that report; -1 if it names none. */
  diagnosisTokens: 'int32',
  /** The agent's note about the origin of the request (`Attribution`). */
  skill: 'text',
  plugin: 'text',
  agent: 'text',
  mcpServer: 'text',
  effort: 'text',
  /** Leading turns frozen by the upstream rule for `frozenPrefixLen`; -1 if absent. */
  frozenPrefixLen: 'int32',
  /** 1-based line in the transcript. */
  line: 'uint32',
} as const;
