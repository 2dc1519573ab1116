import type { ModelReply, PreparedRequest } from '../../backend/modelTarget';
import { compareReplies, textOf, type ComparedReplies } from '../../core/sending/compareReplies';
import { buildRequestView } from '../../core/view/requestView';
import { recordedReply } from '../../core/sending/sentConversation';
import {
  commonOptions,
  jsonHelp,
  modelsHelp,
  modelsOption,
  onlyFile,
  printJson,
  readArguments,
  readOptionalIndex,
  requestHelp,
  requestOptions,
  type Command,
  type ExitCode,
} from '../arguments';
import {
  askingHelp,
  askingOptions,
  askingSynopsis,
  costOf,
  highestCost,
  readCount,
  readyRequest,
} from '../asking';
import { requestAt, requestsOf, withTranscript } from '../opened';
import { forceHelp, outputOptions, writeOutput } from '../output';
import { figure, money, number } from '../words';

/** Longest answer that is asked for where none is said, in tokens. */
const usualOutput = 4096;

export const replay: Command = {
  name: 'replay',
  synopsis: `FILE [--conversation N] [--request N] ${askingSynopsis} [--max-output N] [--ask TEXT] [--json] [--messages FILE] [--out FILE] [--force]`,
  help: `Asks a model a recorded request again, and sets its answer beside the recorded one.

${requestHelp}${askingHelp}  --max-output N    longest answer in tokens, ${usualOutput} when left out
  --ask TEXT        ask this question after the request, which stays as it is
${jsonHelp}${modelsHelp}  --messages FILE   write the request's messages, and the reply where one was asked for, to a file: one JSON
                    object a line in the provider's own form
  --out FILE        write request and answer to a file of their own, which opens like a transcript
${forceHelp}`,
  async run(words) {
    const { values, positionals } = readArguments(words, {
      ...commonOptions,
      ...modelsOption,
      ...requestOptions,
      ...askingOptions,
      ...outputOptions,
      'max-output': { type: 'string' },
      ask: { type: 'string' },
      messages: { type: 'string' },
    });
    const file = onlyFile(replay, positionals);
    const index = readOptionalIndex('--request', values.request);
    const conversation = readOptionalIndex('--conversation', values.conversation);
    const maximumOutput = readCount('--max-output', values['max-output'], usualOutput);
    return withTranscript<ExitCode>(
      file,
      async session => {
        const chosen = requestAt(file, requestsOf(file, session, conversation), index);
        await session.countTokens();
        const { total } = buildRequestView(session.toSession().columns, chosen.request);
        const ready = await readyRequest(session, chosen.request, values, maximumOutput);
        const { model } = ready.target.settings;
        process.stderr.write(
          `${ready.notice}  ${figure(total)} tokens as recorded; ${highestCost(session, model, total.value, maximumOutput)}\n`,
        );
        const writeMessages = async (replied: readonly string[]): Promise<void> => {
          if (values.messages !== undefined) {
            const lines = [ready.target.jsonl(ready.conversation), ...replied.map(line => `${line}\n`)];
            await writeOutput(values.messages, encoded(lines.join('')), {
              transcript: file,
              force: values.force,
            });
          }
        };
        if (values.yes !== true) {
          await writeMessages([]);
          process.stderr.write('Nothing was sent; --yes sends it.\n');
          return 0;
        }
        const control = ready.control();
        const sentAt = new Date();
        const onPiece =
          values.json === true
            ? undefined
            : ({ kind, text }: { readonly kind: string; readonly text: string }) => {
                (kind === 'content' ? process.stdout : process.stderr).write(text);
              };
        const reply = await ready.target.ask(ready.prepared, control, onPiece);
        await writeMessages(reply.jsonl);
        const compared =
          values.ask === undefined
            ? compareReplies(await recordedReply(session, chosen.request), reply.parts)
            : undefined;
        if (values.out !== undefined) {
          await writeReplay(values.out, file, values.force, ready.prepared, reply, sentAt);
        }
        const cost = reply.usage === undefined ? undefined : costOf(session, model, reply.usage);
        if (values.json === true) {
          printJson(reportOf(chosen.index, reply, compared, cost));
        } else {
          process.stdout.write(describe(reply, compared, cost));
        }
        if (reply.error !== undefined) {
          process.stderr.write(`${reply.error.message}\n`);
        }
        return reply.error === undefined ? 0 : 2;
      },
      values.models,
    );
  },
};

async function writeReplay(
  path: string,
  transcript: string,
  force: boolean | undefined,
  prepared: PreparedRequest,
  reply: ModelReply,
  sentAt: Date,
): Promise<void> {
  const { replayLine } = await import('../../backend/main');
  const line = replayLine(prepared, reply, sentAt);
  await writeOutput(path, encoded(line), { transcript, force });
}

async function* encoded(text: string): AsyncGenerator<Uint8Array, void> {
  yield await Promise.resolve(new TextEncoder().encode(text));
}

function reportOf(
  request: number,
  reply: ModelReply,
  compared: ComparedReplies | undefined,
  cost: number | undefined,
) {
  return {
    request,
    error: reply.error?.message ?? null,
    usage: reply.usage ?? null,
    cost: cost ?? null,
    firstPieceAfter: reply.firstPieceAfter ?? null,
    duration: reply.duration,
    sameAction: compared?.isSameAction ?? null,
    sameTools: compared?.isSameTools ?? null,
    calls: (compared?.calls ?? []).map(({ first, second, difference }) => ({
      recorded: first ?? null,
      replayed: second ?? null,
      difference,
    })),
    recordedText: compared?.texts[0] ?? null,
    replayedText: textOf(reply.parts),
  };
}

function describe(
  { usage, duration, firstPieceAfter }: ModelReply,
  compared: ComparedReplies | undefined,
  cost: number | undefined,
): string {
  const seconds = (milliseconds: number): string => `${(milliseconds / 1000).toFixed(1)} s`;
  return [
    '',
    ...(compared?.calls ?? []).map(({ first, second, difference }) => {
      const words = {
        none: 'the same call',
        arguments: 'other arguments',
        name: 'another tool',
        missing: 'only one',
      };
      return `  recorded ${first?.name ?? 'no call'}, replayed ${second?.name ?? 'no call'}: ${words[difference]}`;
    }),
    ...(compared === undefined
      ? []
      : [compared.isSameAction ? 'The next action is the same.' : 'The next action differs.']),
    usage === undefined
      ? 'The provider reported no usage.'
      : `${number(usage.input + usage.cacheRead + usage.cacheWrite)} tokens in (exact), ${number(usage.cacheRead)} of them ` +
        `read from the cache, ${number(usage.output)} out${cost === undefined ? '' : `, ${money(cost)}`}`,
    `${firstPieceAfter === undefined ? '' : `First piece after ${seconds(firstPieceAfter)}, `}${seconds(duration)} in all`,
    '',
  ].join('\n');
}
