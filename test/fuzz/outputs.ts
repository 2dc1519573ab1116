import { createTarget } from '../../src/backend/modelTarget';
import { type ProviderPreset, providerPresets } from '../../src/backend/providers';
import { colourModes } from '../../src/core/drawing/palette';
import { exportText } from '../../src/core/export/exports';
import { prunedCopy } from '../../src/core/export/prunedCopy';
import { anonymisedTwin } from '../../src/core/export/twin/anonymisedTwin';
import { outlineSession } from '../../src/core/finder/sessionOutline';
import { probeSession } from '../../src/core/finder/sessionProbe';
import { describeSession } from '../../src/core/finder/sessionText';
import { insightsOf } from '../../src/core/insights/insightsOf';
import type { ExportKind } from '../../src/core/model/exportForm';
import {
  type PruneOptions,
  defaultPruneOptions,
  pruneReplacements,
  pruneRuleSets,
} from '../../src/core/model/pruneConfig';
import { prunePreview } from '../../src/core/prune/prunePreview';
import { cacheQuestions } from '../../src/core/questions/cacheQuestions';
import { renderedSummary } from '../../src/core/questions/renderedRequest';
import { stabilityOf } from '../../src/core/questions/stabilityOf';
import { RefusedError } from '../../src/core/reading/decoders/unpacking';
import { Gate } from '../../src/core/sensitivity/gate';
import { openTranscript } from '../../src/core/session/openTranscript';
import type { TranscriptSession } from '../../src/core/session/transcriptSession';
import { planners } from '../../src/core/stability/planWords';
import { compactionDiffs } from '../../src/core/view/compactionDiff';
import { diffRequests } from '../../src/core/view/requestDiff';
import { buildRequestView } from '../../src/core/view/requestView';
import { sessionCost } from '../../src/core/view/sessionCost';
import { decoderTools, rewriteDatabase } from '../../src/node/databases/database';
import { unpackZstd } from '../../src/node/files/unpackZstd';
import { secretScanner } from '../../src/node/secrets/secretScannerOnDemand';
import { compareReply, sentRequest } from '../../src/worker/askAnswers';
import { bytesSource } from '../fixtures/prunedCopies';
import { assertNumbers, assertText } from '../fixtures/soundTranscript';
import { plainTranscript } from '../fixtures/transcriptBytes';
import { type CommandName, commandNames, runCommand } from './commandOutputs';
import type { FuzzInput } from './input';

/**
 * The purpose of a text, which decides the checks. `data` is the program's own JSON, `copy` a transcript, and
 * `internal` content that stays in the editor, where the user may see everything.
 */
export type Form = 'data' | 'copy' | 'page' | 'drawing' | 'terminal' | 'workflow' | 'internal';

/** Checkable content that leaves the program. */
export interface Produced {
  readonly texts: readonly { readonly form: Form; readonly text: string }[];
  /** Figures for a person, in any structure. */
  readonly figures?: unknown;
}

export interface OutputSource {
  readonly input: Pick<FuzzInput, 'bytes' | 'siblings'>;
  /** The open transcript, counted and scanned. */
  readonly session: TranscriptSession;
  /** One of its requests, if there is any, in turn. */
  readonly request: number | undefined;
  /** Increases by one each time that the output is made for a format, so that choices are used in turn. */
  readonly turn: number;
  /** For the files of the command line. */
  readonly folder: string;
}

/**
 * An output. It is made for every n-th input of a format, or for all. Expensive outputs are made for fewer, because an
 * input is opened for each.
 */
export interface Output {
  readonly name: string;
  readonly every: number;
  /** Rejects only if the program has a defect. */
  readonly make: (source: OutputSource) => Promise<Produced>;
}

const fixedIdentity = {
  irId: '00000000-0000-4000-8000-000000000000',
  createdAt: '2026-01-01T00:00:00.000Z',
};

const data = (value: unknown): Produced['texts'][number] => ({
  form: 'data',
  text: JSON.stringify(value),
});

const internal = (value: unknown): Produced['texts'][number] => ({ ...data(value), form: 'internal' });

function taking<Item>(items: readonly [Item, ...Item[]], turn: number): Item {
  return items[turn % items.length] ?? items[0];
}

/** Prunes everything that can be pruned, with each rule set in turn. */
function pruneOptions(turn: number): PruneOptions {
  return {
    ...defaultPruneOptions(),
    ruleSet: taking(pruneRuleSets, turn),
    replacement: taking(pruneReplacements, turn >> 1),
    protectTokens: 0,
    minimumTokens: 0,
    toolOutputMaxChars: 20,
  };
}

/** An output of one request; nothing if there is none. */
function ofRequest(
  name: string,
  every: number,
  make: (source: OutputSource, request: number) => Promise<Produced>,
): Output {
  return {
    name,
    every,
    make: source =>
      source.request === undefined ? Promise.resolve({ texts: [] }) : make(source, source.request),
  };
}

const exported = (kind: ExportKind, form: Form): Output =>
  ofRequest(kind, 10, async ({ session, turn }, request) => ({
    texts: [
      {
        form,
        text: await exportText(kind, {
          session,
          request,
          options: pruneOptions(turn),
          colour: taking(colourModes, turn),
          scanner: secretScanner,
          level: 'redacted',
          identity: fixedIdentity,
        }),
      },
    ],
  }));

const commandOutput = (name: CommandName): Output => ({
  name: `command ${name}`,
  every: 6 * commandNames.length,
  make: async ({ input, folder }) => ({ texts: await runCommand(name, folder, input.bytes) }),
});

/**
 * The produced output, or the sentence with which the program refuses. Any other thrown value is a defect, even with
 * the same text.
 */
export async function unlessRefused(produced: Promise<Produced>): Promise<Produced> {
  try {
    return await produced;
  } catch (error) {
    if (error instanceof RefusedError && /^[A-Z][^\n]{10,200}[^.]\.$/.test(error.message)) {
      return { texts: [{ form: 'terminal', text: error.message }] };
    }
    throw error;
  }
}

/** A copy of a transcript, which must open like the transcript. */
async function reopened(chunks: AsyncIterable<Uint8Array>): Promise<Produced> {
  const parts: Uint8Array[] = [];
  for await (const part of chunks) {
    parts.push(Uint8Array.from(part));
  }
  const bytes = new Uint8Array(Buffer.concat(parts));
  const opened = await openTranscript(bytesSource(bytes), {
    fileName: 'copy',
    scanner: secretScanner,
    tools: decoderTools,
  });
  if (!opened.ok) {
    throw new Error(`The copy does not open: ${opened.sentence.slice(0, 40)}`);
  }
  return { texts: [{ form: 'copy', text: new TextDecoder().decode(bytes) }] };
}

/** A new output is one entry here. */
export const outputs: readonly Output[] = [
  {
    name: 'figures',
    every: 2,
    make: ({ session, request }) => {
      const { summary, columns } = session.toSession();
      const view = request === undefined ? undefined : buildRequestView(columns, request);
      const figures = { columns, view, cost: sessionCost(columns, summary.models) };
      const labels = [...columns.blocks.label].map(label => columns.strings.at(label));
      const titles = [summary.title, ...summary.conversations.map(({ title }) => title)];
      return Promise.resolve({ texts: [data({ titles, labels }), internal(summary)], figures });
    },
  },
  {
    name: 'texts in place',
    every: 2,
    make: async ({ session }) => {
      const { transcript } = session;
      assertNumbers(transcript);
      for await (const { block, text } of session.textsOf(
        [...transcript.blocks].map((_, number) => number),
      )) {
        assertText(transcript, block, text);
      }
      return { texts: [] };
    },
  },
  {
    name: 'session list',
    every: 6,
    make: async ({ input: { bytes } }) => {
      const middle = bytes.length >> 1;
      const ends = { size: 3 * bytes.length, head: bytes.subarray(0, middle), tail: bytes.subarray(middle) };
      const outlines = [
        await outlineSession({ size: bytes.length, head: bytes }),
        await outlineSession(ends),
      ];
      const file = {
        agent: 'agent',
        path: '/folder/session.jsonl',
        size: bytes.length,
        modified: 0,
        projectKey: '/folder',
        isKnown: true,
      };
      const gate = new Gate(secretScanner);
      const described = await Promise.all(outlines.map(outline => describeSession(file, outline, gate)));
      return {
        texts: [internal(outlines), ...described.map(data)],
        figures: [outlines, probeSession(new TextDecoder().decode(bytes.subarray(0, 1 << 14)))],
      };
    },
  },
  exported('html', 'page'),
  exported('svg', 'drawing'),
  exported('json', 'data'),
  ofRequest('pruned copy', 5, async ({ session, turn }, request) => {
    const options = pruneOptions(turn);
    const { columns } = session.toSession();
    const { plan } = prunePreview(columns, buildRequestView(columns, request), options);
    const copy = await prunedCopy({
      session,
      request,
      options,
      candidates: plan.candidates,
      notices: plan.notices,
      redactWith: secretScanner,
    });
    if (!copy.ok) {
      return { texts: [] };
    }
    return reopened(copy.bytes);
  }),
  {
    name: 'anonymised twin',
    every: 12,
    make: ({ session }) =>
      unlessRefused(
        reopened(anonymisedTwin({ session, rewriteDatabase, unpackZstd, key: Uint32Array.of(1, 2, 3) })),
      ),
  },
  ofRequest('sent request', 5, async ({ session, turn }, request) => {
    const prune = turn % 3 === 0 ? pruneOptions(turn) : undefined;
    const { conversation, tokens, ...sent } = await sentRequest(
      session,
      { request, prune, keepSecrets: false },
      secretScanner,
    );
    const preset = taking<ProviderPreset>(providerPresets, turn);
    const target = createTarget({ preset, model: 'model', lookUp: id => session.modelRow(id) });
    const prepared = target.prepare(conversation);
    const { parts } = conversation.turns.findLast(({ role }) => role === 'assistant') ?? { parts: [] };
    const compared = await compareReply(session, { request, parts, keepSecrets: false }, secretScanner);
    return {
      texts: [
        data(conversation),
        data(prepared),
        data(compared),
        { form: 'copy', text: target.jsonl(conversation) },
      ],
      figures: { tokens, ...sent, bytes: prepared.bytes },
    };
  }),
  ofRequest('answers', 8, async ({ session, turn }, request) => {
    const questions = cacheQuestions(session);
    const answers = {
      rendered: await renderedSummary(session, request),
      stability: await stabilityOf(session, request, taking(planners, turn)),
      cache: await questions.report(),
      replay: questions.pruneReplay(request, pruneOptions(turn)),
      diff: diffRequests(session.toSession().columns, 0, request),
      compactions: compactionDiffs(session.toSession()),
    };
    return { texts: [internal(answers)], figures: answers };
  }),
  ofRequest('searches', 60, async ({ session, turn }, request) => {
    const questions = cacheQuestions(session);
    const found = [
      await questions.bestMoment(request, pruneOptions(turn)),
      await questions.bestOptions(request, pruneOptions(turn)),
      await insightsOf(session, pruneOptions(turn)),
    ];
    return { texts: [internal(found)], figures: found };
  }),
  {
    name: 'masked texts',
    every: 4,
    make: async ({ session }) => {
      const texts: Produced['texts'][number][] = [];
      for (let block = 0; block < session.transcript.blocks.length; block += 1) {
        texts.push(data(await session.blockText(block, 0, false)));
      }
      return { texts };
    },
  },
  {
    name: 'grown file',
    every: 12,
    make: async ({ input: { bytes, siblings }, session, turn }) => {
      const read = async (
        upTo: number,
        previous?: TranscriptSession,
      ): Promise<TranscriptSession | undefined> => {
        const opened = await openTranscript(bytesSource(bytes.subarray(0, upTo)), {
          fileName: 'file',
          scanner: secretScanner,
          tools: decoderTools,
          siblings,
          ...(previous === undefined ? {} : { previous }),
        });
        return opened.ok ? opened.session : undefined;
      };
      const before = await read(Math.floor((bytes.length * (1 + (turn % 7))) / 8));
      const grown = before?.reading === undefined ? undefined : await read(bytes.length, before);
      const [first, second] = [grown?.transcript ?? session.transcript, session.transcript];
      if (
        grown !== undefined &&
        JSON.stringify(plainTranscript(first)) !== JSON.stringify(plainTranscript(second))
      ) {
        throw new Error('A file that has grown reads in another way than as a whole.');
      }
      return { texts: [] };
    },
  },
  ...commandNames.map(commandOutput),
];
