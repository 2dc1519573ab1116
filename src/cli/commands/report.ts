import { randomUUID } from 'node:crypto';
import { extname } from 'node:path';
import { translate } from '../../core/base/translate';
import { colourModes } from '../../core/drawing/palette';
import { exportText } from '../../core/export/exports';
import { sharePreviewText, sharePreviews } from '../../core/export/sharePreview';
import { exportKinds, shareLevels } from '../../core/model/exportForm';
import { textChunks } from '../../node/files/newFile';
import { scannerFor } from '../../node/secrets/secretScannerOnDemand';
import { UsageError, command, print } from '../command';
import {
  choice,
  configOption,
  flag,
  jsonOption,
  option,
  outputOptions,
  scanOptions,
  secretsOption,
} from '../options/options';
import { requestOptions } from '../options/transcriptOptions';
import { writeOutput } from '../output/output';
import { atRequest } from '../sessions/transcripts';
import { readOneOf, readPruneConfig } from '../options/values';
import { inLines } from '../output/words';

export const report = command({
  name: 'report',
  summary: translate('Writes a report of the session and of one request.'),
  example: 'session.jsonl --out report.html',
  options: {
    ...outputOptions,
    ...requestOptions,
    ...configOption,
    level: choice(
      'LEVEL',
      shareLevels,
      translate(
        'Content of the file: figures (the default: sizes, kinds and times, without any text of the transcript), redacted (texts without the secrets that the rules know), or full.',
      ),
    ),
    ...secretsOption,
    ...scanOptions,
    preview: flag(translate('Count what the file would contain at each level. Writes nothing.')),
    out: option(
      'FILE',
      translate(
        'File to write. Required. The ending sets the format: .html for a page, .svg for the drawing, .json for everything.',
      ),
    ),
    colour: choice(
      'MODE',
      colourModes,
      translate('Colours of the drawing: {0}. Default: source.', colourModes.join(', ')),
    ),
    json: { ...jsonOption.json, help: translate('Print path and kind of the written file as JSON.') },
  },
  run: async (values, file) => {
    const { out } = values;
    if (out === undefined) {
      throw new UsageError(translate('{0} is required.', '--out'));
    }
    const kind = exportKinds.find(known => extname(out).toLowerCase() === `.${known}`);
    if (kind === undefined) {
      throw new UsageError(`${out}: ${translate('The name must end in .html, .svg or .json.')}`);
    }
    const keeps = values['keep-secrets'] === true ? 'full' : 'figures';
    const level = readOneOf('--level', values.level ?? keeps, shareLevels);
    const colour = readOneOf('--colour', values.colour ?? 'source', colourModes);
    const options = await readPruneConfig(values.config);
    const scanner = scannerFor(values['no-personal-data'] !== true);
    return atRequest(file, { ...values, scanner, readsSubagents: true }, async ({ session, request }) => {
      await session.scan();
      const input = {
        session,
        request,
        options,
        colour,
        scanner,
        identity: { irId: randomUUID(), createdAt: new Date().toISOString() },
      };
      if (values.preview === true) {
        const previews = await sharePreviews(kind, input);
        await print(values.json, { kind, levels: previews }, () =>
          inLines(previews.map(preview => `${preview.level.padEnd(9)} ${sharePreviewText(preview)}`)),
        );
        return 0;
      }
      const text = await exportText(kind, { ...input, level });
      await writeOutput(out, textChunks(text), { transcript: file, force: values.force });
      await print(values.json, { path: out, kind }, () => `${translate('Wrote {0}.', out)}\n`);
      return 0;
    });
  },
});
