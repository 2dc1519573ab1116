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

export const inspect: Command = {
  name: 'inspect',
  synopsis: 'FILE [--list] [--conversation N] [--request N] [--json] [--config FILE] [--models FILE]',
  help: `Shows what the model had in its context at a request of a transcript.

  --list            print the conversations of the file and no report: number, title, requests
${requestHelp}${jsonHelp}${configHelp}${modelsHelp}`,
  async run(words) {
    const { values, positionals } = readArguments(words, {
      ...commonOptions,
      ...requestOptions,
      ...modelsOption,
      list: { type: 'boolean' },
      config: { type: 'string' },
    });
    const file = onlyFile(inspect, positionals);
    const options = await readPruneConfig(values.config);
    const index = readOptionalIndex('--request', values.request);
    const conversation = readOptionalIndex('--conversation', values.conversation);
    return withTranscript<ExitCode>(
      file,
      async session => {
        if (values.list === true) {
          const conversations = listConversations(session.transcript);
          if (values.json === true) {
            printJson({ conversations });
          } else {
            process.stdout.write(describeConversations(conversations));
          }
          return 0;
        }
        requestsOf(file, session, conversation);
        await session.countTokens();
        await session.scan();
        const report = inspectReport(session, options, { index, conversation });
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
    );
  },
};
