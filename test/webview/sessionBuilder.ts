import { type BlockKind, blockKinds } from '../../src/core/model/block';
import {
  type BlockColumns,
  type PredictionReason,
  predictionReasons,
  requestFlags,
  type SessionColumns,
  type SessionSummary,
} from '../../src/core/model/columns';
import { windowSources } from '../../src/core/model/contextWindow';
import {
  blockContentTypes,
  type PartitionName,
  partitionNames,
  type PromptRole,
  promptRoles,
  type ProvenanceLabel,
  provenanceLabels,
  type SensitivityLabel,
  sensitivityLabels,
} from '../../src/core/model/labels';

export interface MadeBlock {
  readonly kind: BlockKind;
  readonly label: string;
  readonly tokens: number;
  readonly role?: PromptRole;
  readonly provenance?: ProvenanceLabel;
  readonly partition?: PartitionName;
  readonly sensitivity?: SensitivityLabel;
  readonly findings?: number;
  readonly tool?: string;
  readonly callId?: string;
  readonly path?: string;
  readonly flags?: number;
  readonly message?: number;
  readonly characters?: number;
}

export interface MadeRequest {
  readonly context?: number;
  readonly length: number;
  readonly thread?: number;
  readonly model?: string;
  /** If absent, nothing was recorded. */
  readonly usage?: { readonly input: number; readonly cacheRead: number; readonly cacheWrite: number };
  /** US dollars that the agent recorded. */
  readonly cost?: number;
  readonly complete?: boolean;
  /** Tokens of the reply, if the recorded output (400) is known to be too low. */
  readonly doubtfulReply?: number;
  readonly window?: number;
  readonly otherWindow?: number;
  readonly predictedBlocks?: number;
  readonly predictionReason?: PredictionReason;
  readonly scale?: number;
  readonly scaleError?: number;
  readonly frozenPrefixLen?: number;
}

interface Defaults {
  readonly role: PromptRole;
  readonly provenance: ProvenanceLabel;
  readonly partition: PartitionName;
}

const assistant: Defaults = { role: 'assistant', provenance: 'developer', partition: 'history' };
const system: Defaults = { role: 'system', provenance: 'system', partition: 'system' };

const defaults: Readonly<Record<BlockKind, Defaults>> = {
  systemPrompt: system,
  toolSchema: system,
  structuredOutput: system,
  prompt: { role: 'user', provenance: 'user', partition: 'history' },
  injected: { role: 'user', provenance: 'developer', partition: 'state' },
  assistant,
  thinking: assistant,
  toolCall: assistant,
  toolResult: { role: 'tool', provenance: 'tool', partition: 'history' },
  image: { role: 'user', provenance: 'user', partition: 'history' },
  summary: { role: 'user', provenance: 'memory', partition: 'history' },
  other: { role: 'user', provenance: 'user', partition: 'history' },
};

const start = Date.UTC(2026, 9, 12, 9, 4, 0);

/** Columns from hand-made rows. Values that the worker would derive (pairs, exposure) are derived here. */
export function makeColumns(
  blocks: readonly MadeBlock[],
  contexts: readonly (readonly number[])[],
  requests: readonly MadeRequest[],
  breakpoints: SessionColumns['breakpoints'] = [],
): SessionColumns {
  const strings = [''];
  const known = new Map([['', 0]]);
  const index = (text: string | undefined): number => {
    const key = text ?? '';
    const found = known.get(key) ?? strings.push(key) - 1;
    known.set(key, found);
    return found;
  };
  const calls = new Map<string, number>();
  const pair = new Int32Array(blocks.length).fill(-1);
  blocks.forEach(({ kind, callId }, block) => {
    if (callId === undefined) {
      return;
    }
    if (kind === 'toolCall') {
      calls.set(callId, block);
    } else {
      const call = calls.get(callId) ?? -1;
      pair[block] = call;
      if (call >= 0) {
        pair[call] = block;
      }
    }
  });
  const firstRequest = new Int32Array(blocks.length).fill(-1);
  const requestCount = new Uint32Array(blocks.length);
  // One pass over the contexts, because there may be thousands of requests.
  contexts.forEach((context, number) => {
    const lengths = requests.flatMap((request, row) =>
      (request.context ?? 0) === number ? [{ row, length: request.length }] : [],
    );
    let from = 0;
    context.forEach((block, position) => {
      while (from < lengths.length && (lengths[from]?.length ?? 0) <= position) {
        from += 1;
      }
      const first = lengths[from];
      if (first !== undefined) {
        firstRequest[block] = (firstRequest[block] ?? -1) < 0 ? first.row : (firstRequest[block] ?? 0);
        requestCount[block] = (requestCount[block] ?? 0) + lengths.length - from;
      }
    });
  });
  // Tokens of the first n blocks of each context, at index n.
  const sums = contexts.map(context => {
    let sum = 0;
    return [0, ...context.map(block => (sum += blocks[block]?.tokens ?? 0))];
  });
  const rows: BlockColumns = {
    role: Uint8Array.from(blocks, ({ role, kind }) => promptRoles.indexOf(role ?? defaults[kind].role)),
    contentType: Uint8Array.from(blocks, ({ kind }) =>
      blockContentTypes.indexOf(kind === 'toolResult' ? 'tool_result' : kind === 'image' ? 'image' : 'text'),
    ),
    kind: Uint8Array.from(blocks, ({ kind }) => blockKinds.indexOf(kind)),
    provenance: Uint8Array.from(blocks, ({ provenance, kind }) =>
      provenanceLabels.indexOf(provenance ?? defaults[kind].provenance),
    ),
    partition: Uint8Array.from(blocks, ({ partition, kind }) =>
      partitionNames.indexOf(partition ?? defaults[kind].partition),
    ),
    sensitivity: Uint8Array.from(blocks, ({ sensitivity }) =>
      sensitivityLabels.indexOf(sensitivity ?? 'public'),
    ),
    findings: Uint16Array.from(blocks, ({ findings }) => findings ?? 0),
    tokens: Uint32Array.from(blocks, ({ tokens }) => tokens),
    counted: new Uint8Array(blocks.length).fill(1),
    textKind: new Uint8Array(blocks.length),
    leftAt: new Int32Array(blocks.length).fill(-1),
    characters: Uint32Array.from(blocks, ({ characters, tokens }) => characters ?? tokens * 4),
    bytes: Uint32Array.from(blocks, ({ characters, tokens }) => characters ?? tokens * 4),
    line: Uint32Array.from(blocks, (_, block) => 3 + block * 2),
    label: Uint32Array.from(blocks, ({ label }) => index(label)),
    tool: Uint32Array.from(blocks, ({ tool }) => index(tool)),
    callId: Uint32Array.from(blocks, ({ callId }) => index(callId)),
    path: Uint32Array.from(blocks, ({ path }) => index(path)),
    content: Uint32Array.from(blocks, (_, block) => block),
    hashHigh: Uint32Array.from(blocks, (_, block) => Math.imul(block + 1, 0x9e3779b1)),
    hashLow: Uint32Array.from(blocks, (_, block) => Math.imul(block + 1, 0x7f4a7c15)),
    message: Uint32Array.from(blocks, ({ message }, block) => message ?? block),
    pair,
    flags: Uint8Array.from(blocks, ({ flags }) => flags ?? 0),
    firstRequest,
    requestCount,
    timestamp: Float64Array.from(blocks, (_, block) => start + block * 21_000),
  };
  return {
    strings,
    blocks: rows,
    contexts: contexts.map(context => Uint32Array.from(context)),
    requests: {
      context: Uint32Array.from(requests, ({ context }) => context ?? 0),
      length: Uint32Array.from(requests, ({ length }) => length),
      thread: Uint16Array.from(requests, ({ thread }) => thread ?? 0),
      timestamp: Float64Array.from(requests, (_, request) => start + request * 74_000),
      model: Uint32Array.from(requests, ({ model }) => index(model ?? 'claude-sonnet-4-5')),
      input: Uint32Array.from(requests, ({ usage }) => usage?.input ?? 0),
      cacheRead: Uint32Array.from(requests, ({ usage }) => usage?.cacheRead ?? 0),
      cacheWrite: Uint32Array.from(requests, ({ usage }) => usage?.cacheWrite ?? 0),
      output: Uint32Array.from(requests, () => 400),
      replyTokens: Uint32Array.from(requests, ({ doubtfulReply }) => doubtfulReply ?? 0),
      cacheLifetime: new Uint32Array(requests.length),
      cacheWriteHour: new Uint32Array(requests.length),
      recordedCost: Float64Array.from(requests, ({ cost }) => cost ?? Number.NaN),
      billing: new Uint32Array(requests.length),
      flags: Uint8Array.from(
        requests,
        ({ usage, complete, doubtfulReply }) =>
          (usage === undefined ? 0 : requestFlags.recorded) |
          (complete === true ? requestFlags.complete : 0) |
          (doubtfulReply === undefined ? 0 : requestFlags.outputDoubtful),
      ),
      window: Uint32Array.from(requests, ({ window }) => window ?? 200_000),
      windowSource: new Uint8Array(requests.length).fill(windowSources.indexOf('table')),
      otherWindow: Uint32Array.from(requests, ({ otherWindow }) => otherWindow ?? 0),
      predictedBlocks: Uint32Array.from(requests, ({ predictedBlocks }) => predictedBlocks ?? 0),
      predictionReason: Uint8Array.from(requests, ({ predictionReason }) =>
        predictionReasons.indexOf(predictionReason ?? 'firstRequest'),
      ),
      predictedFrom: Int32Array.from(requests, (_, request) => request - 1),
      scale: Float32Array.from(requests, ({ scale }) => scale ?? 1),
      scaleError: Float32Array.from(requests, ({ scaleError }) => scaleError ?? 0),
      notRecorded: Uint32Array.from(requests, ({ usage, complete, scale, context, length }) => {
        const recorded = (usage?.input ?? 0) + (usage?.cacheRead ?? 0) + (usage?.cacheWrite ?? 0);
        const visible = sums[context ?? 0]?.[length] ?? 0;
        return complete === true ? 0 : Math.max(0, recorded - Math.round(visible * (scale ?? 1)));
      }),
      notRecordedError: new Float32Array(requests.length),
      jump: new Int32Array(requests.length),
      totalError: Float32Array.from(requests, ({ scaleError }) => scaleError ?? 0),
      diagnosis: new Uint8Array(requests.length),
      diagnosisTokens: new Int32Array(requests.length).fill(-1),
      skill: new Uint32Array(requests.length),
      plugin: new Uint32Array(requests.length),
      agent: new Uint32Array(requests.length),
      mcpServer: new Uint32Array(requests.length),
      effort: new Uint32Array(requests.length),
      frozenPrefixLen: Int32Array.from(requests, ({ frozenPrefixLen }) => frozenPrefixLen ?? -1),
      line: Uint32Array.from(requests, (_, request) => 5 + request * 7),
    },
    breakpoints,
  };
}

export function makeSummary(summary: Partial<SessionSummary> = {}): SessionSummary {
  return {
    format: 'claude-code',
    agent: { name: 'Claude Code', versions: ['2.1.330'] },
    title: 'A hand-made session',
    model: 'claude-sonnet-4-5',
    models: [],
    messages: 0,
    compactions: [],
    subagents: [],
    conversations: [],
    problems: [],
    leftOut: [],
    encoding: 'o200k_base',
    ...summary,
  };
}
