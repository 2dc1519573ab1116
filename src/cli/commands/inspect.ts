import { stat } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { translate } from '../../core/base/translate';
import { type BegunSearch, beginSearch, fileFindings } from '../../core/export/fileFindings';
import { sensitiveItemsIn } from '../../core/exposure/secretPlaces';
import type { ByteSource } from '../../core/model/byteSource';
import type { Transcript } from '../../core/model/transcript';
import { unknownPrior } from '../../core/tokens/tokenizerPrior';
import { decodeText } from '../../node/files/decodeText';
import { MeasuringThread } from '../../node/threads/measuringThread';
import { scannerFor } from '../../node/secrets/secretScannerOnDemand';
import { type ExitCode, command, print } from '../command';
import { describeConversations, listConversations } from '../output/conversations';
import { inspectReport } from '../../core/export/inspectReport';
import { describeReport } from '../output/inspectText';
import { choice, configOption, flag, jsonOption, scanOptions } from '../options/options';
import { requestOptions } from '../options/transcriptOptions';
import { siblingThreadOf } from '../../node/threads/bundleThread';
import { noRequestAt, requestsOf, withTranscript } from '../sessions/transcripts';
import { describeUsage, usageReport } from '../output/usageReport';
import { readOneOf, readPruneConfig, readWhole } from '../options/values';

const workerCounts = ['1', '2'] as const;

/** In bytes. For a smaller file, starting a second thread takes longer than it saves. */
const leastForTwo = 4_000_000;

/** Default number of counting threads. An unreadable file is reported when it is opened. */
async function defaultWorkers(file: string): Promise<number> {
  const size = await stat(file).then(
    found => found.size,
    () => 0,
  );
  return size < leastForTwo ? 1 : 2;
}

export const inspect = command({
  name: 'inspect',
  summary: translate('Shows the context of the model in one request.'),
  example: 'session.jsonl --request 12',
  options: {
    list: flag(translate('List only the conversations of the file: number, title, requests.')),
    'usage-only': flag(translate('Print only the recorded usage by day and model. Much faster.')),
    ...requestOptions,
    ...configOption,
    'no-tokens': flag(
      translate('Do not count tokens. Figures are estimated from sizes and calibrated if usage is recorded.'),
    ),
    'no-scan': flag(translate('Do not search for credentials and personal data.')),
    ...scanOptions,
    'every-block': flag(
      translate(
        'In the JSON, list where every block was sent, not only blocks with secrets or personal data.',
      ),
    ),
    workers: choice(
      'N',
      workerCounts,
      translate(
        'Number of threads that count tokens, 1 or 2. Default: 2 for a file of 4 MB or more on a machine with at least two cores.',
      ),
    ),
    ...jsonOption,
  },
  async run(values, file) {
    const isList = values.list === true;
    const usageOnly = values['usage-only'] === true;
    const counts = !isList && !usageOnly && values['no-tokens'] !== true;
    const personalData = values['no-personal-data'] !== true;
    const scanned = values['no-scan'] !== true;
    const options = await readPruneConfig(values.config);
    const index = readWhole('--request', values.request, 0, undefined);
    const conversation = readWhole('--conversation', values.conversation, 0, 0);
    const workers =
      values.workers === undefined
        ? await defaultWorkers(file)
        : Number(readOneOf('--workers', values.workers, workerCounts));
    const helper =
      counts && workers > 1 && availableParallelism() > 1
        ? new MeasuringThread(siblingThreadOf('helper.js'), unknownPrior.encoding, personalData)
        : undefined;
    const scanner = scannerFor(personalData);
    let begun: BegunSearch | undefined;
    const begin = async (transcript: Transcript, source: ByteSource): Promise<void> => {
      begun = await beginSearch({ transcript, source, decodeText }, scanner);
    };
    try {
      return await withTranscript<ExitCode>(
        file,
        values.models,
        async session => {
          if (usageOnly) {
            const usage = usageReport(session.transcript);
            await print(values.json, usage, () => describeUsage(usage));
            return 0;
          }
          if (isList) {
            const conversations = listConversations(session.transcript);
            await print(values.json, { conversations }, () => describeConversations(conversations));
            return 0;
          }
          const requests = requestsOf(file, session, conversation);
          if (scanned) {
            await session.scan();
          }
          const findings = scanned ? await fileFindings(session, scanner, undefined, begun) : null;
          const report = inspectReport(session, options, {
            index,
            conversation,
            requests,
            findings,
            sensitive: scanned ? await sensitiveItemsIn(session) : null,
            everyBlock: values['every-block'] === true,
          });
          if (report === undefined) {
            throw noRequestAt(file, index, requests.length);
          }
          await print(values.json, report, () => describeReport(report));
          return 0;
        },
        {
          format: values.format,
          usageOnly,
          readsSubagents: !isList && !usageOnly,
          countWhileReading: counts,
          scanWhileReading: scanned,
          whileCounting: counts && scanned ? begin : undefined,
          helper,
          labels: false,
          scanner,
        },
      );
    } finally {
      await helper?.close();
    }
  },
});
