import type { ModelReply } from '../../backend/modelTarget';
import { formatSeconds } from '../../core/base/format';
import { translate } from '../../core/base/translate';
import { type ComparedReplies, compareReplies, textOf } from '../../core/sending/compareReplies';
import { recordedReply } from '../../core/sending/sentConversation';
import { buildRequestView } from '../../core/view/requestView';
import { textChunks } from '../../node/newFile';
import { command, print } from '../command';
import { option, outputOptions, sendOptions } from '../options';
import { writeOutput } from '../output';
import { confirmed, costOf, highestCost, readyRequest } from '../readyRequest';
import { pieceWriter, printNotice } from '../terminal';
import { atRequest } from '../transcripts';
import { readWhole } from '../values';
import { figure, inLines, money, number } from '../words';

/** The maximum length of an answer in tokens, unless the user gives another. */
const usualOutput = 4096;

export const replay = command({
  name: 'replay',
  summary: translate(
    'Sends a recorded request to a model again and compares the answer with the recorded one.',
  ),
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
    messages: option(
      'FILE',
      translate(
        "Write the messages of the request to a file in the provider's own form, one line of JSON each, followed by the reply if one was requested.",
      ),
    ),
    ...outputOptions,
    out: option('FILE', translate('Write request and answer to a file, which opens like a transcript.')),
  },
  run: (values, file) => {
    const maximumOutput = readWhole('--max-output', values['max-output'], 1, usualOutput);
    return atRequest(file, values, async ({ session, request, index }) => {
      const { total } = buildRequestView(session.toSession().columns, request);
      const ready = await readyRequest(session, request, values, maximumOutput);
      const { model } = ready.target.settings;
      const cost = highestCost(session, model, total.value, maximumOutput);
      const limit = translate('{0} as recorded; {1}', figure(total), cost);
      const writeMessages = async (reply: readonly string[]): Promise<void> => {
        if (values.messages !== undefined) {
          const lines = [ready.target.jsonl(ready.conversation), ...reply.map(line => `${line}\n`)];
          const text = textChunks(lines.join(''));
          await writeOutput(values.messages, text, { transcript: file, force: values.force });
        }
      };
      if (!confirmed(ready, limit, values.yes)) {
        await writeMessages([]);
        return 0;
      }
      const sentAt = new Date();
      const content = pieceWriter('result');
      const thinking = pieceWriter('notice');
      const onPiece =
        values.json === true
          ? undefined
          : ({ kind, text }: { readonly kind: string; readonly text: string }) => {
              (kind === 'content' ? content : thinking).write(text);
            };
      const reply = await ready.target.ask(ready.prepared, ready.control(), onPiece);
      content.end();
      thinking.end();
      await writeMessages(reply.jsonl);
      const compared =
        values.ask === undefined
          ? compareReplies(await recordedReply(session, request), reply.parts)
          : undefined;
      if (values.out !== undefined) {
        const { replayLine } = await import('../../backend/main');
        const line = textChunks(replayLine(ready.prepared, reply, sentAt));
        await writeOutput(values.out, line, { transcript: file, force: values.force });
      }
      const paid = reply.usage === undefined ? undefined : costOf(session, model, reply.usage);
      print(values.json, reportOf(index, reply, compared, paid), () => describe(reply, compared, paid));
      if (reply.error !== undefined) {
        printNotice(`${reply.error.message}\n`);
      }
      return reply.error === undefined ? 0 : 2;
    });
  },
});

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

const differenceWords = {
  none: translate('same call'),
  arguments: translate('different arguments'),
  name: translate('different tool'),
  missing: translate('only one call'),
} as const;

function describe(
  { usage, duration, firstPieceAfter }: ModelReply,
  compared: ComparedReplies | undefined,
  cost: number | undefined,
): string {
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
    firstPieceAfter === undefined
      ? translate('Took {0}', formatSeconds(duration))
      : translate(
          'First output after {0}, took {1}',
          formatSeconds(firstPieceAfter),
          formatSeconds(duration),
        ),
  ]);
}
