import { resolve } from 'node:path';
import { translate } from '../../core/base/translate';
import { command } from '../command';
import { flag, option } from '../options/options';
import { ToolError } from '../../core/contextTools/contextTool';
import type { AddedFolder } from '../../core/finder/pathMapping';
import { serveContextTools } from '../../node/mcp/server';
import { addedFolders } from '../options/addedFolders';
import { UsageError } from '../options/usageError';

export const mcp = command({
  name: 'mcp',
  operands: [],
  summary: translate(
    'Serves questions about the context to an agent, over the Model Context Protocol on standard input and output. The questions: what fills it, what was seen of a file, what a compaction dropped, why the cache was lost, what the next request costs. Read-only; nothing leaves the machine.',
  ),
  example: '--folder ~/shop',
  options: {
    folder: option('PATH', translate('The folder in which the agent works. Default: the current one.')),
    'all-folders': flag(
      translate('Answer about the sessions of all folders, not only of that one and its worktrees.'),
    ),
  },
  run: async ({ folder = process.cwd(), 'all-folders': allFolders = false }) => {
    await serveContextTools({ folders: [resolve(folder)], added: addedOrSentence, allFolders });
    // Questions that wait or are being read have nobody to answer.
    process.exit(0);
  },
});

/** The server goes on when the variable is wrong, and answers with the sentence. */
function addedOrSentence(): readonly AddedFolder[] {
  try {
    return addedFolders();
  } catch (error) {
    throw error instanceof UsageError ? new ToolError(error.message) : error;
  }
}
