import { translate } from '../../core/base/translate';
import { anonymisedTwin } from '../../core/export/twin/anonymisedTwin';
import { twinSentence } from '../../core/export/twin/twinSentence';
import { rewriteDatabase } from '../../node/databases/database';
import { unpackZstd } from '../../node/files/unpackZstd';
import { command, type ExitCode, print, UsageError } from '../command';
import { jsonOption, modelsOption, option, outputOptions } from '../options/options';
import { writeOutput } from '../output/output';
import { withTranscript } from '../sessions/transcripts';
import { inLines } from '../output/words';

export const anonymise = command({
  name: 'anonymise',
  summary: translate(
    'Writes the anonymised twin of a transcript: same structure and figures, with every text replaced by nonsense.',
  ),
  example: 'session.jsonl --out twin.jsonl',
  options: {
    ...outputOptions,
    out: option('FILE', translate('File to write, in the format of the transcript. Required.')),
    ...modelsOption,
    ...jsonOption,
  },
  run: async (values, file) => {
    const { out } = values;
    if (out === undefined) {
      throw new UsageError(translate('{0} is required.', '--out'));
    }
    return withTranscript<ExitCode>(
      file,
      values.models,
      async session => {
        const twin = anonymisedTwin({ session, rewriteDatabase, unpackZstd });
        const outcome = await writeOutput(out, twin, { transcript: file, force: values.force });
        await print(values.json, { path: out, ...outcome }, () =>
          inLines([translate('Wrote {0}.', out), twinSentence(outcome)]),
        );
        return 0;
      },
      { labels: false },
    );
  },
});
