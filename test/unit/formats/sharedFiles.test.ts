import assert from 'node:assert/strict';
import { join, relative } from 'node:path';
import { describe, it } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { readTranscript } from '../../../src/core/formats/readTranscript';
import { lineFormats } from '../../../src/core/formats/registry';
import type { ProblemKind, Transcript } from '../../../src/core/model/transcript';
import type { SiblingFiles } from '../../../src/core/reading/format';
import { TextReader } from '../../../src/core/session/textReader';
import { decoderTools } from '../../../src/node/databases/database';
import { siblingFilesOf } from '../../../src/node/sessions/siblingFiles';
import { unaccountedLines } from '../../fixtures/accounting';
import { filesBelow, readUnpacked, shared, skipWithout, testOf } from '../../fixtures/sharedFiles';
import { assertSound } from '../../fixtures/soundTranscript';
import { someOf } from '../../fixtures/variants';

// Every recorded transcript next to the repository opens as some format, and everything that could not be placed is
// explained here.

/** Files that are not transcripts, with their descriptions. */
const noTranscripts: readonly (readonly [RegExp, string])[] = [
  [/MANIFEST\.tsv$/, 'list of the samples'],
  [/openhands\/example_model_output\.json$/, 'predictions of SWE-bench: patches, no messages'],
  [
    /\/(raw-requests\.jsonl|timeline\.jsonl|prune-oracle\.json|prune-log\.txt|session-id)(\.gz)?$/,
    'the recorder’s',
  ],
  [/\.schema\.json$|\/schemas\//, 'schema'],
  [/\.(toml|yaml|md|lock|txt|output|log)(\.gz)?$/, 'settings, notes, tool outputs'],
  [
    /\/(settings|models|projects|opencode|extract-cursor|meta|history|index|tracking)\.json$/,
    'settings and indexes',
  ],
  [/\.meta\.json$/, 'what a subagent was started with'],
  [/\/(usage_record)\.jsonl$/, 'totals of usage'],
  [/\/(state_5|thread_history_1)\.sqlite(\.gz)?$/, 'Codex’s index of threads'],
  [/\/(session-store|sessions)\.db(\.gz)?$/, 'an index of sessions'],
  [/\/(backups|tool-output|tool-results)\//, 'copies of files and outputs'],
  [/\/\.project_root$/, 'the path of a project'],
  [
    /\/grok-build\/[^/]+\/[^/]+\/native\/.*\/(?!chat_history\.)[^/]+$/,
    'read together with the history of the same folder',
  ],
  [/gemini-cli\/sample-activity\.jsonl$/, 'what the interface logged: console and network events'],
  [/\/sessions\/[^/]+\/\d+_[a-z0-9]+\.json$/, 'Cline’s description of a session, without messages'],
];

/** The formats that the files of a folder may have. */
const expected: readonly (readonly [RegExp, RegExp])[] = [
  [/^samples\/claude-code|^agent-runs\/claude-code/, /^claude-(code|stream-json)$/],
  [/^samples\/(claude-trace|raw-api)/, /^(api|anthropic|openai|message)-/],
  [/^(samples|agent-runs)\/codex/, /^codex/],
  [/^(samples|agent-runs)\/copilot/, /^copilot/],
  [/^samples\/vscode-chat/, /^(vscode|copilot)/],
  [/^samples\/crush/, /^crush$/],
  [/^(samples|agent-runs)\/gemini-cli/, /^gemini-/],
  [/^(samples|agent-runs)\/qwen-code/, /^qwen|^claude-stream-json$/],
  [/^(samples|agent-runs)\/pi/, /^pi/],
  [/^agent-runs\/opencode/, /^opencode/],
  [/^agent-runs\/grok-build/, /^grok-build$/],
  [/^agent-runs\/cline/, /^cline/],
  [/^samples\/aider/, /^aider/],
  [/^samples\/inspect/, /^inspect-log$/],
  [/^samples\/swe-agent/, /^swe-agent$/],
  [/^samples\/mini-swe-agent/, /^mini-swe-agent$/],
  [/^samples\/openhands/, /^openhands/],
  [/^samples\/sharegpt/, /^sharegpt/],
  [/^samples\/otel-spans/, /^(otlp|langfuse)$/],
  [/^samples\/kimi/, /^kimi-records$/],
];

/** Problems that a file really has, with their descriptions. */
const explained: readonly (readonly [RegExp, ProblemKind, string])[] = [];

const suspicious: ReadonlySet<ProblemKind> = new Set(['unknownRecord', 'malformedRecord']);

interface Row {
  readonly file: string;
  readonly outcome: string;
}

/** Files that are gzipped in the collection are uncompressed on a user's disk. */
function plainSiblings(path: string): SiblingFiles {
  const files = siblingFilesOf(path);
  return {
    ...files,
    fileName: files.fileName.replace(/\.gz$/, ''),
    read: async name => {
      const packed = await files.read(`${name}.gz`);
      return packed === undefined ? files.read(name) : new Uint8Array(gunzipSync(packed));
    },
    list: async folder => (await files.list(folder)).map(name => name.replace(/\.gz$/, '')),
  };
}

async function open(path: string): Promise<Transcript | string> {
  const bytes = new Uint8Array(readUnpacked(path));
  const source = {
    size: bytes.length,
    read: (offset: number, length: number) => Promise.resolve(bytes.subarray(offset, offset + length)),
  };
  const result = await readTranscript(source, { siblings: plainSiblings(path), tools: decoderTools });
  if (!result.ok) {
    return result.sentence;
  }
  if (lineFormats.some(({ id }) => id === result.transcript.format)) {
    assert.deepEqual(await unaccountedLines(result.source ?? source, result.transcript.format), []);
  }
  await assertSound(
    result.transcript,
    new TextReader(result.source ?? source, result.transcript, result.document),
  );
  return result.transcript;
}

function described({ format, requests, blocks, conversations, problems, leftOut }: Transcript): string {
  return [
    format.padEnd(26),
    `${requests.length} requests`.padStart(15),
    `${blocks.length} blocks`.padStart(14),
    ` ${conversations.length} conversations`,
    ...problems.map(({ kind, count, line }) => ` ${kind} ${count}× (line ${line})`),
    ` left out: ${leftOut.reduce((sum, { count }) => sum + count, 0)}`,
  ].join('');
}

for (const folder of ['samples', 'agent-runs']) {
  const root = join(shared, folder);
  describe(`../shared/${folder}`, { skip: skipWithout(folder) }, () => {
    const rows: Row[] = [];
    for (const path of someOf(filesBelow(root, ''), 60)) {
      const file = relative(shared, path);
      if (noTranscripts.some(([pattern]) => pattern.test(path))) {
        continue;
      }
      it(file, context =>
        testOf(context, path, async () => {
          const opened = await open(path);
          rows.push({ file, outcome: typeof opened === 'string' ? opened.slice(0, 60) : described(opened) });
          assert.ok(typeof opened !== 'string', typeof opened === 'string' ? opened.slice(0, 120) : '');
          for (const [, format] of expected.filter(([pattern]) => pattern.test(file))) {
            assert.match(opened.format, format);
          }
          assert.ok(
            opened.requests.length > 0 || opened.problems.some(({ kind }) => kind === 'noRequests'),
            'blank without a reason',
          );
          assert.equal(opened.drift, undefined);
          assert.ok(opened.blocks.length > 0 || opened.requests.length === 0, 'requests without any content');
          const unexplained = opened.problems.filter(
            ({ kind }) =>
              suspicious.has(kind) &&
              !explained.some(([pattern, problem]) => problem === kind && pattern.test(path)),
          );
          assert.deepEqual(unexplained, []);
        }),
      );
    }
    it('prints what it opened', t => {
      for (const { file, outcome } of rows) {
        t.diagnostic(`${outcome}  ${file}`);
      }
    });
  });
}
