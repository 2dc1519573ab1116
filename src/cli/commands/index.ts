import { translate } from '../../core/base/translate';
import { indexFolderHere, withAllSessions, withIndex } from '../sessions/allSessions';
import { command, type ExitCode, print } from '../command';
import { flag, jsonOption } from '../options/options';
import { inLines } from '../output/words';

export const index = command({
  name: 'index',
  operands: [],
  summary: translate(
    'Updates or deletes the session index, which "usage" and "search" read. Both also update it themselves.',
  ),
  example: '--delete',
  options: {
    delete: flag(translate('Delete the index, and nothing else. It is rebuilt when it is needed.')),
    ...jsonOption,
  },
  async run(values): Promise<ExitCode> {
    const folder = await indexFolderHere();
    if (values.delete === true) {
      await withIndex(found => found.delete());
      await print(values.json, { folder, files: 0 }, () =>
        inLines([translate('The index was deleted: {0}', folder)]),
      );
      return 0;
    }
    const files = await withAllSessions(true, sessions => Promise.resolve(sessions.files.length));
    await print(values.json, { folder, files }, () =>
      inLines([translate('The index has {0, plural, one {# file} other {# files}}: {1}', files, folder)]),
    );
    return 0;
  },
});
