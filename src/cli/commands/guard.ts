import { translate } from '../../core/base/translate';
import { command } from '../command';
import { option } from '../options/options';
import { readDollars } from '../options/values';

export const guard = command({
  name: 'guard',
  operands: [],
  summary: translate(
    'Warns, as a hook of Claude Code or Codex, before an act that pays for the context again or fills the window. Such acts are a prompt after the cache has expired, a switch of the model, and a compaction with a cold cache; each is named once. Reads the hook’s JSON from the standard input and prints a message for the user. Blocks nothing without --block-over.',
  ),
  example: '--block-over 2',
  options: {
    'block-over': option(
      'DOLLARS',
      translate(
        'Block a prompt that costs more than this on top of its cost with a warm cache. The same prompt passes when it is sent again.',
      ),
    ),
  },
  run: async values => {
    const limit = readDollars('--block-over', values['block-over']) ?? Number.POSITIVE_INFINITY;
    const { runGuard } = await import('../guardHook');
    await runGuard(limit);
    return 0;
  },
});
