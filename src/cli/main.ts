import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { parseArgs } from 'node:util';
import { defaultPruneOptions, parsePruneOptions, type PruneOptions } from '../core/model/pruneConfig';
import { openTranscript } from '../core/session/openTranscript';
import { decoderTools } from '../node/database';
import { describeFileError, openFile } from '../node/fileByteSource';
import { secretScanner } from '../node/secretScanner';
import { siblingFilesOf } from '../node/siblingFiles';
import { describeReport } from './describe';
import { inspectReport } from './inspect';
import { describeConversations, listConversations } from './conversations';

const synopsis =
  'context-inspector inspect FILE [--list] [--conversation N] [--request N] [--json] [--config FILE]';

const usage = `Usage: ${synopsis}

Shows what the model had in its context at a request of a transcript.

  --list            print the conversations of the file and no report: number, title, requests
  --conversation N  the conversation, by its number in the list; the main one when left out
  --request N       the request of the conversation, counted from 0; the last one when left out
  --json            print as JSON
  --config FILE     prune options as JSON: ruleSet, enabled, protectTokens, minimumTokens,
                    toolOutputMaxChars, protectedTools, replacement, measure; each optional
`;

/** Something that the user has to put right; told in one sentence, without a stack. */
class UsageError extends Error {}

async function main(words: readonly string[]): Promise<void> {
  const { values, positionals } = readArguments(words);
  if (values.help === true) {
    process.stdout.write(usage);
    return;
  }
  const [command, file, ...rest] = positionals;
  if (command !== 'inspect' || file === undefined || rest.length > 0) {
    throw new UsageError(`Expected: ${synopsis}`);
  }
  const options = values.config === undefined ? defaultPruneOptions() : await readConfig(values.config);
  const index = values.request === undefined ? undefined : readIndex('--request', values.request);
  const conversation =
    values.conversation === undefined ? undefined : readIndex('--conversation', values.conversation);
  const source = await openFile(file).catch((error: unknown) => {
    throw new UsageError(`${file}: ${describeFileError(error)}`);
  });
  try {
    const opened = await openTranscript(source, {
      fileName: basename(file),
      scanner: secretScanner,
      tools: decoderTools,
      siblings: siblingFilesOf(file),
    });
    if (!opened.ok) {
      throw new UsageError(`${file}: ${opened.sentence}`);
    }
    const conversations = listConversations(opened.session.transcript);
    if (values.list === true) {
      process.stdout.write(
        values.json === true
          ? `${JSON.stringify({ conversations }, null, 2)}\n`
          : describeConversations(conversations),
      );
      return;
    }
    if (conversation !== undefined && !conversations.some(({ number }) => number === conversation)) {
      throw new UsageError(`${file}: There is no conversation ${conversation}; --list shows them.`);
    }
    await opened.session.countTokens();
    await opened.session.scan();
    const report = inspectReport(opened.session, options, { index, conversation });
    if (report === undefined) {
      throw new UsageError(`${file}: There is no request ${values.request ?? ''}.`);
    }
    process.stdout.write(
      values.json === true ? `${JSON.stringify(report, null, 2)}\n` : describeReport(report),
    );
  } finally {
    await source.close();
  }
}

function readArguments(words: readonly string[]) {
  try {
    return parseArgs({
      args: [...words],
      allowPositionals: true,
      options: {
        list: { type: 'boolean' },
        conversation: { type: 'string' },
        request: { type: 'string' },
        json: { type: 'boolean' },
        config: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
    });
  } catch (error) {
    throw new UsageError(firstSentence(error instanceof Error ? error.message : String(error)));
  }
}

/** Node explains a wrong option in several lines; the first sentence says what is wrong. */
function firstSentence(message: string): string {
  return `${message.split(/[.\n]/, 1)[0] ?? ''}.`;
}

function readIndex(option: string, text: string): number {
  if (!/^\d+$/.test(text)) {
    throw new UsageError(`${option} takes a whole number from 0, not "${text}".`);
  }
  return Number(text);
}

async function readConfig(path: string): Promise<PruneOptions> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw new UsageError(`${path}: ${describeFileError(error)}`);
  });
  let value: unknown;
  try {
    // Editors on Windows write a byte order mark.
    value = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    throw new UsageError(`${path}: This is not JSON.`);
  }
  const parsed = parsePruneOptions(value);
  if (!parsed.ok) {
    throw new UsageError(`${path}: ${parsed.problem}`);
  }
  return parsed.value;
}

main(process.argv.slice(2)).catch((error: unknown) => {
  if (error instanceof UsageError) {
    process.stderr.write(`${error.message}\n`);
  } else {
    console.error(error);
  }
  process.exitCode = error instanceof UsageError ? 2 : 1;
});
