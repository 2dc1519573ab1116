import { randomUUID } from 'node:crypto';
import { extname } from 'node:path';
import { translate } from '../../core/base/translate';
import { colourModes } from '../../core/drawing/palette';
import { exportKinds, exportText } from '../../core/export/exports';
import { textChunks } from '../../node/newFile';
import { secretScanner } from '../../node/secretScannerOnDemand';
import { command, print, UsageError } from '../command';
import { configOption, jsonOption, option, outputOptions, requestOptions, secretsOption } from '../options';
import { writeOutput } from '../output';
import { atRequest } from '../transcripts';
import { readOneOf, readPruneConfig } from '../values';

export const report = command({
  name: 'report',
  summary: translate('Writes a report of the session and of one request.'),
  options: {
    ...outputOptions,
    ...requestOptions,
    ...configOption,
    ...secretsOption,
    out: option(
      'FILE',
      translate(
        'File to write. Required. Its ending decides what is written: .html for a page, .svg for the drawing, .json for everything.',
      ),
    ),
    colour: option(
      'MODE',
      translate('Colours of the drawing: {0}. Default: sensitivity.', colourModes.join(', ')),
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
    const colour = readOneOf('--colour', values.colour ?? 'sensitivity', colourModes);
    const options = await readPruneConfig(values.config);
    return atRequest(file, values, async ({ session, request }) => {
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
      await print(values.json, { path: out, kind }, () => `${translate('Wrote {0}.', out)}\n`);
      return 0;
    });
  },
});
