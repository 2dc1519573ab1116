import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { unknownPrior } from '../../core/tokens/tokenizerPrior';
import { MeasuringThread } from '../../node/measuringThread';
import {
  commonOptions,
  configHelp,
  jsonHelp,
  modelsHelp,
  modelsOption,
  onlyFile,
  printJson,
  readArguments,
  readOptionalIndex,
  readPruneConfig,
  requestHelp,
  requestOptions,
  UsageError,
  type Command,
  type ExitCode,
} from '../arguments';
import { describeConversations, listConversations } from '../conversations';
import { describeReport } from '../describe';
import { inspectReport } from '../inspect';
import { requestsOf, withTranscript } from '../opened';
import { describeUsage, usageReport } from '../usage';

export const inspect: Command = {
  name: 'inspect',
  synopsis:
    'FILE [--list | --usage-only] [--conversation N] [--request N] [--json] [--config FILE] [--models FILE] [--no-tokens] [--no-scan] [--workers N]',
  help: `Shows what the model had in its context at a request of a transcript.

  --list            print the conversations of the file and no report: number, title, requests
  --usage-only      print only the recorded usage, by day and model, which is many times faster
${requestHelp}${jsonHelp}${configHelp}${modelsHelp}  --no-tokens       do not count tokens: figures are estimated from sizes, and calibrated where usage is recorded
  --no-scan         do not look for credentials and personal data
  --workers N       threads that count tokens, 1 or 2; 2 when left out and the machine has two cores
`,
  async run(words) {
    const { values, positionals } = readArguments(words, {
      ...commonOptions,
      ...requestOptions,
      ...modelsOption,
      list: { type: 'boolean' },
      config: { type: 'string' },
      'usage-only': { type: 'boolean' },
      'no-tokens': { type: 'boolean' },
      'no-scan': { type: 'boolean' },
      workers: { type: 'string' },
    });
    const isList = values.list === true;
    const usageOnly = values['usage-only'] === true;
    const counts = !isList && !usageOnly && values['no-tokens'] !== true;
    const scans = values['no-scan'] !== true;
    const file = onlyFile(inspect, positionals);
    const options = await readPruneConfig(values.config);
    const index = readOptionalIndex('--request', values.request);
    const conversation = readOptionalIndex('--conversation', values.conversation);
    const helper =
      counts && readWorkers(values.workers) > 1
        ? new MeasuringThread(join(__dirname, 'helper.js'), unknownPrior.encoding)
        : undefined;
    return withTranscript<ExitCode>(
      file,
      async session => {
        if (usageOnly) {
          const usage = usageReport(session.transcript);
          if (values.json === true) {
            printJson(usage);
          } else {
            process.stdout.write(describeUsage(usage));
          }
          return 0;
        }
        if (isList) {
          const conversations = listConversations(session.transcript);
          if (values.json === true) {
            printJson({ conversations });
          } else {
            process.stdout.write(describeConversations(conversations));
          }
          return 0;
        }
        requestsOf(file, session, conversation);
        if (scans) {
          await session.scan();
        }
        const report = inspectReport(session, options, { index, conversation, scanned: scans });
        if (report === undefined) {
          throw new UsageError(`${file}: There is no request ${values.request ?? ''}.`);
        }
        if (values.json === true) {
          printJson(report);
        } else {
          process.stdout.write(describeReport(report));
        }
        return 0;
      },
      values.models,
      { usageOnly, countWhileReading: counts, helper, labels: false },
    ).finally(() => helper?.close());
  },
};

/** Threads that count; never more than there are cores. */
function readWorkers(text = '2'): number {
  if (text !== '1' && text !== '2') {
    throw new UsageError(`--workers takes 1 or 2, not "${text}".`);
  }
  return Math.min(Number(text), availableParallelism());
}
