import type { ModelReply, ModelTarget, PreparedRequest } from '../../backend/modelTarget';
import { formatSeconds } from '../../core/base/format';
import { translate } from '../../core/base/translate';
import type { RecordedDiagnosis } from '../../core/cache/cacheFinding';
import { diagnosisText } from '../../core/cache/causeWords';
import type { Conversation } from '../../core/model/conversation';
import { prunePreview } from '../../core/prune/prunePreview';
import { type ComparedReplies, compareReplies, textOf } from '../../core/sending/compareReplies';
import { predictedRead, replyBefore } from '../../core/sending/predictedRead';
import { recordedReply } from '../../core/sending/sentConversation';
import { Gate } from '../../core/sensitivity/gate';
import { buildRequestView } from '../../core/view/requestView';
import { textChunks } from '../../node/files/newFile';
import { secretScanner } from '../../node/secrets/secretScannerOnDemand';
import { command, print, UsageError } from '../command';
import { option, outputOptions } from '../options/options';
import { sendOptions } from '../options/sendOptions';
import { expectOutput, writeOutput } from '../output/output';
import { asUsageError, confirmed, costOf, highestCost, readyRequest } from '../readyRequest';
import { pieceWriter, printNotice } from '../output/terminal';
import { atRequest } from '../sessions/transcripts';
import { readPruneConfig, readTextFile, readWhole } from '../options/values';
import { figure, inLines, money, number } from '../output/words';

/** Default maximum length of an answer in tokens. */
const usualOutput = 4096;

export const replay = command({
  name: 'replay',
  summary: translate(
    'Sends a recorded request to a model again and compares the answer with the recorded one.',
  ),
  example: 'session.jsonl --pruned',
  options: {
    ...sendOptions,
    'max-output': option(
      'N',
      translate('Maximum length of the answer in tokens. Default: {0}.', usualOutput),
    ),
    ask: option(
      'TEXT',
      translate('Ask this question after the request. The answer is not compared with the recorded one.'),
    ),
    keep: option(
      'N',
      translate(
        'First let the model summarise all messages except the N newest. Its summary is sent in their place.',
      ),
    ),
    result: option(
      'ID=FILE',
      translate('Send the text of this file as the result of the call with this id.'),
    ),
    messages: option(
      'FILE',
      translate(
        'Write the messages of the request to a file in the provider’s own format, one line of JSON each, followed by the reply if one was requested. The question of --ask is not included.',
      ),
    ),
    from: option(
      'FILE',
      translate('Send the messages in this file, written by --messages, instead of the recorded ones.'),
    ),
    ...outputOptions,
    out: option('FILE', translate('Write request and answer to a file that opens like a transcript.')),
  },
  run: (values, file) => {
    const maximumOutput = readWhole('--max-output', values['max-output'], 1, usualOutput);
    const keep = readWhole('--keep', values.keep, 0, undefined);
    return atRequest(file, values, async ({ session, request, index }) => {
      const { columns } = session.toSession();
      const view = buildRequestView(columns, request);
      const { total } = view;
      const ready = await readyRequest(session, request, values, maximumOutput, (recorded, target) =>
        edited(recorded, target, values),
      );
      // With a question, the command does not replay the request.
      const before = values.ask === undefined ? replyBefore(session.transcript.requests, request) : undefined;
      const withVerdict = (plain: PreparedRequest): PreparedRequest =>
        before === undefined ? plain : ready.target.withComparison(plain, before);
      const { model } = ready.target.settings;
      const summary = keep === undefined ? undefined : ready.target.prepareSummary(ready.conversation, keep);
      const calls = summary === undefined ? 1 : 2;
      const cost = highestCost(session, model, calls * total.value, calls * maximumOutput);
      const limit = translate('{0} as recorded; {1}', figure(total), cost);
      const writeMessages = async (conversation: Conversation, reply: readonly string[]): Promise<void> => {
        if (values.messages !== undefined) {
          const lines = await Promise.all(reply.map(async line => `${await written(line, values)}\n`));
          const text = textChunks([ready.target.jsonl(conversation), ...lines].join(''));
          await writeOutput(values.messages, text, { transcript: file, force: values.force });
        }
      };
      const added = withVerdict(ready.prepared).notes.filter(note => !ready.prepared.notes.includes(note));
      const notice = [
        ready.notice,
        ...added.map(note => `  ${note}\n`),
        ...(keep === undefined ? [] : [summaryNotice(summary, keep)]),
      ].join('');
      const output = { transcript: file, force: values.force };
      await expectOutput(values.out, output);
      await expectOutput(values.messages, output);
      if (!(await confirmed({ notice }, limit, values.yes))) {
        await writeMessages(ready.conversation, []);
        return 0;
      }
      const control = ready.control();
      const conversation =
        keep === undefined
          ? ready.conversation
          : await asUsageError(() => ready.target.compress(ready.conversation, keep, control));
      const prepared = withVerdict(keep === undefined ? ready.prepared : ready.target.prepare(conversation));
      const sentAt = new Date();
      const content = pieceWriter('result');
      const thinking = pieceWriter('notice');
      const onPiece =
        values.json === true
          ? undefined
          : ({ kind, text }: { readonly kind: string; readonly text: string }) => {
              (kind === 'content' ? content : thinking).write(text);
            };
      const reply = await ready.target.ask(prepared, control, onPiece);
      content.end();
      thinking.end();
      await writeMessages(conversation, reply.jsonl);
      const compared =
        values.ask === undefined
          ? compareReplies(await recordedReply(session, request), reply.parts)
          : undefined;
      if (values.out !== undefined) {
        const { replayLine } = await import('../../backend/main');
        const line = await written(replayLine(prepared, reply, sentAt), values);
        await writeOutput(values.out, textChunks(line), { transcript: file, force: values.force });
      }
      const paid = reply.usage === undefined ? undefined : costOf(session, model, reply.usage);
      const isEdited = [values.ask, values.keep, values.result, values.from].some(
        given => given !== undefined,
      );
      const expected = isEdited
        ? undefined
        : predictedRead(
            view,
            values.pruned === true
              ? prunePreview(columns, view, await readPruneConfig(values.config))
              : undefined,
          );
      await print(values.json, reportOf(index, reply, compared, paid, expected), () =>
        describe(reply, compared, paid, expected),
      );
      if (reply.error !== undefined) {
        await printNotice(`${reply.error.message}\n`);
      }
      return reply.error === undefined ? 0 : 2;
    });
  },
});

/** A line of JSON for a file. The request is already without credentials; an answer may contain others. */
async function written(
  line: string,
  { 'keep-secrets': keeps }: { readonly 'keep-secrets'?: boolean | undefined },
): Promise<string> {
  return keeps === true ? line : new Gate(secretScanner).json(line);
}

/** The recorded conversation with the messages, the result and the question from the options. */
async function edited(
  recorded: Conversation,
  target: ModelTarget,
  { from, result, ask }: Partial<Readonly<Record<'from' | 'result' | 'ask', string | undefined>>>,
): Promise<Conversation> {
  let conversation = recorded;
  if (from !== undefined) {
    conversation = target.fromJsonl(conversation, await readTextFile(from));
  }
  if (result !== undefined) {
    const [, id, path] = /^([^=]+)=(.+)$/s.exec(result) ?? [];
    if (id === undefined || path === undefined) {
      throw new UsageError(translate('{0} takes the id of a call and a file: {1}.', '--result', 'ID=FILE'));
    }
    conversation = target.withResult(conversation, id, await readTextFile(path));
  }
  return ask === undefined ? conversation : target.withQuestion(conversation, ask);
}

function summaryNotice(summary: PreparedRequest | undefined, keep: number): string {
  const line =
    summary === undefined
      ? translate('Nothing to summarise: the request has {0} messages or fewer.', number(keep))
      : translate(
          'First, a request for a summary: {0, plural, one {# message} other {# messages}}, {1} bytes. The newest {2} are kept.',
          summary.messages.length,
          number(summary.bytes),
          number(keep),
        );
  return `  ${line}\n`;
}

function reportOf(
  request: number,
  reply: ModelReply,
  compared: ComparedReplies | undefined,
  cost: number | undefined,
  expected: number | undefined,
) {
  return {
    request,
    error: reply.error?.message ?? null,
    usage: reply.usage ?? null,
    cost: cost ?? null,
    /** Tokens that should come from the cache, and the provider's own report. */
    predictedRead: expected ?? null,
    diagnosis: recordedDiagnosis(reply),
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

function recordedDiagnosis({ diagnosis }: ModelReply): RecordedDiagnosis | null {
  return diagnosis === undefined ? null : { type: diagnosis.type, tokens: diagnosis.tokens ?? null };
}

const differenceWords = {
  none: translate('same call'),
  arguments: translate('different arguments'),
  name: translate('different tool'),
  missing: translate('only one call'),
} as const;

function describe(
  reply: ModelReply,
  compared: ComparedReplies | undefined,
  cost: number | undefined,
  expected: number | undefined,
): string {
  const { usage, duration, firstPieceAfter } = reply;
  const diagnosis = recordedDiagnosis(reply);
  return inLines([
    '',
    ...(compared?.calls ?? []).map(
      ({ first, second, difference }) =>
        `  ${translate(
          'recorded {0}, replayed {1}: {2}',
          first?.name ?? translate('no call'),
          second?.name ?? translate('no call'),
          differenceWords[difference],
        )}`,
    ),
    ...(compared === undefined
      ? []
      : [
          compared.isSameAction
            ? translate('The next action is the same.')
            : translate('The next action is different.'),
        ]),
    usage === undefined
      ? translate('The provider reported no usage.')
      : translate(
          '{0} tokens in (exact), {1} of them read from the cache, {2} out',
          number(usage.input + usage.cacheRead + usage.cacheWrite),
          number(usage.cacheRead),
          number(usage.output),
        ) + (cost === undefined ? '' : `, ${money(cost)}`),
    ...(expected === undefined ? [] : [translate('Expected from the cache: {0}', number(expected))]),
    ...(diagnosis === null ? [] : [translate('provider’s report: {0}', diagnosisText(diagnosis))]),
    firstPieceAfter === undefined
      ? translate('Took {0}', formatSeconds(duration))
      : translate(
          'First output after {0}, took {1}',
          formatSeconds(firstPieceAfter),
          formatSeconds(duration),
        ),
  ]);
}
