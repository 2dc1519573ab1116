import { randomUUID } from 'node:crypto';
import { extname } from 'node:path';
import { colourModes, type ColourMode } from '../../core/drawing/palette';
import { exportKinds, exportText, type ExportKind } from '../../core/export/exports';
import { textChunks } from '../../node/newFile';
import { secretScanner } from '../../node/secretScannerOnDemand';
import {
  commonOptions,
  configHelp,
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
import { requestAt, requestsOf, withTranscript } from '../opened';
import { forceHelp, outputOptions, writeOutput } from '../output';

export const report: Command = {
  name: 'report',
  synopsis:
    'FILE --out FILE.html|.svg|.json [--force] [--conversation N] [--request N] [--colour MODE] [--config FILE] [--models FILE] [--keep-secrets] [--json]',
  help: `Writes a report of the session and one of its requests: a page, the drawing, or everything as JSON.

  --out FILE        the ending decides what is written
${forceHelp}${requestHelp}  --colour MODE     of the drawing: ${colourModes.join(', ')}
${configHelp}${modelsHelp}  --keep-secrets    leave the texts in JSON as they are; without it everything sensitive is taken out
  --json            print {"path", "kind"} of what was written
`,
  async run(words) {
    const { values, positionals } = readArguments(words, {
      ...commonOptions,
      ...requestOptions,
      ...outputOptions,
      ...modelsOption,
      config: { type: 'string' },
      colour: { type: 'string' },
      'keep-secrets': { type: 'boolean' },
    });
    const file = onlyFile(report, positionals);
    const { out } = values;
    if (out === undefined) {
      throw new UsageError('report needs --out with a file that ends in .html, .svg or .json.');
    }
    const kind = kindOf(out);
    const colour = readColour(values.colour ?? 'sensitivity');
    const options = await readPruneConfig(values.config);
    const index = readOptionalIndex('--request', values.request);
    const conversation = readOptionalIndex('--conversation', values.conversation);
    return withTranscript<ExitCode>(
      file,
      async session => {
        const { request } = requestAt(file, requestsOf(file, session, conversation), index);
        await session.countTokens();
        await session.scan();
        const text = await exportText(kind, {
          session,
          request,
          options,
          colour,
          scanner: secretScanner,
          keepSecrets: values['keep-secrets'] === true,
          identity: { irId: randomUUID(), createdAt: new Date().toISOString() },
        });
        await writeOutput(out, textChunks(text), { transcript: file, force: values.force });
        if (values.json === true) {
          printJson({ path: out, kind });
        } else {
          process.stdout.write(`Written to ${out}.\n`);
        }
        return 0;
      },
      values.models,
    );
  },
};

function kindOf(path: string): ExportKind {
  const kind = exportKinds.find(known => extname(path).toLowerCase() === `.${known}`);
  if (kind === undefined) {
    throw new UsageError(`${path}: The name must end in .html, .svg or .json.`);
  }
  return kind;
}

function readColour(text: string): ColourMode {
  const mode = colourModes.find(known => known === text);
  if (mode === undefined) {
    throw new UsageError(`--colour takes one of ${colourModes.join(', ')}, not "${text}".`);
  }
  return mode;
}
