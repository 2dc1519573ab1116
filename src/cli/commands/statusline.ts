import { translate } from '../../core/base/translate';
import { command } from '../command';
import { runStatusline } from '../statusline';

export const statusline = command({
  name: 'statusline',
  operands: [],
  summary: translate(
    'Prints one line for the status line of Claude Code, from the JSON on standard input: how full the window is and of what, cost, and the state of the cache. In settings.json of Claude Code: {0}',
    '"statusLine": {"type": "command", "command": "context-inspector statusline"}',
  ),
  example: '< input.json',
  options: {},
  async run() {
    await runStatusline();
    return 0;
  },
});
