import { translate } from '../../core/base/translate';
import type { FoundText } from '../../core/index/textContext';
import { lineText } from '../../core/contextTools/contextTool';
import { parseWords } from '../../core/index/wordQuery';
import { promptRoles } from '../../core/model/labels';
import { sources } from '../../core/model/source';
import { filesByKey, isNarrowed, searchIndex, type SearchResult } from '../../node/index/searchIndex';
import { searchLines, sessionOf } from '../../node/index/searchLines';
import { withAllSessions } from '../sessions/allSessions';
import { command, type ExitCode, print, UsageError } from '../command';
import { dayAfter, readDay } from '../options/days';
import { choice, flag, jsonOption, option } from '../options/options';
import { readOneOf, readWhole } from '../options/values';
import { inLines } from '../output/words';

/** The output of `search --json`. */
interface SearchReport {
  readonly hits: readonly {
    /** The id of the session. Commands accept it instead of a file. */
    readonly session: string;
    readonly title: string;
    readonly agent: string;
    readonly project: string;
    readonly file: string;
    readonly conversation: number;
    /** The first request that carried the block, 0-based in its conversation; null if none did. */
    readonly request: number | null;
    readonly block: number;
    readonly line: number;
    readonly kind: string;
    readonly role: string;
    /** The origin of its content, in the categories of the drawing's colours. */
    readonly source: string;
    readonly tool: string | null;
    /** The model of the first request that carried the block or replied with it. */
    readonly model: string | null;
    /** The file that the block is about. */
    readonly path: string | null;
    /** Milliseconds since 1970; null if not recorded. */
    readonly time: number | null;
    /** True if the newest request does not carry the block any more, because of a compaction or a cleared result. */
    readonly removed: boolean;
    /**
     * The first request without it, 0-based in the conversation; null if it is still carried or no request followed.
     */
    readonly left: number | null;
    /** True for a result that the record marks as failed. */
    readonly isError: boolean;
    /** Null if the transcript can no longer be read. */
    readonly context: FoundText | null;
  }[];
  /** There are more than the limit. */
  readonly hasMore: boolean;
}

const usualLimit = 20;

/** The possible sources of a block. The unrecorded part is not a block. */
const blockSources = sources.filter(source => source !== 'notRecorded');

export const search = command({
  name: 'search',
  operands: ['[WORDS...]'],
  summary: translate(
    'Searches the text of all sessions on this machine, newest session first. A block must contain all the words. The last word may be the beginning of a word; double quotes find a phrase. Without words, lists all blocks that match the options.',
  ),
  example: '\'"database is locked" retry\' --role tool',
  options: {
    agent: option('NAME', translate('Only sessions of agents whose name contains this.')),
    project: option('NAME', translate('Only sessions of projects whose folder contains this.')),
    role: choice('ROLE', promptRoles, translate('Only blocks of this role: {0}.', promptRoles.join(', '))),
    source: choice(
      'SOURCE',
      blockSources,
      translate('Only blocks from this source: {0}.', blockSources.join(', ')),
    ),
    tool: option('NAME', translate('Only calls of tools whose name contains this, and their results.')),
    model: option('NAME', translate('Only blocks of requests to models whose name contains this.')),
    file: option('PATH', translate('Only blocks about files whose path contains this.')),
    error: flag(translate('Only tool results recorded as failed.')),
    since: option('DATE', translate('Only blocks from this day on, for example 2026-01-31.')),
    until: option('DATE', translate('Only blocks up to and including this day.')),
    limit: option('N', translate('Number of blocks to show. Default: {0}.', usualLimit)),
    ...jsonOption,
  },
  async run(values, first, others): Promise<ExitCode> {
    const query = parseWords([first, ...others].join(' '));
    const until = readDay('--until', values.until);
    const wish = {
      query,
      agent: values.agent,
      project: values.project,
      role: values.role === undefined ? undefined : readOneOf('--role', values.role, promptRoles),
      source: values.source === undefined ? undefined : readOneOf('--source', values.source, blockSources),
      tool: values.tool,
      model: values.model,
      file: values.file,
      isError: values.error,
      since: readDay('--since', values.since)?.getTime(),
      until: until && dayAfter(until).getTime(),
    };
    if (query.match === undefined && !(query.isBlank && isNarrowed(wish))) {
      throw new UsageError(
        translate('Nothing to search for: give a word with letters or digits, or an option.'),
      );
    }
    const most = readWhole('--limit', values.limit, 1, usualLimit);
    const result = await withAllSessions(true, ({ index, files }) =>
      searchIndex(index, filesByKey(files), wish, { most }),
    );
    await print(values.json, reportOf(result), () => describe(result));
    return 0;
  },
});

function reportOf({ hits, hasMore }: SearchResult): SearchReport {
  return {
    hits: hits
      .map(hit => ({ ...hit, session: sessionOf(hit) }))
      .map(({ file, session, block, context }) => ({
        session: session.id,
        title: session.title,
        agent: session.agent,
        project: session.project,
        file: file.path,
        conversation: block.conversation,
        request: block.request ?? null,
        block: block.block,
        line: block.line,
        kind: block.kind,
        role: block.role,
        source: block.source,
        tool: block.tool ?? null,
        model: block.model ?? null,
        path: block.path ?? null,
        time: block.time ?? null,
        removed: block.removed,
        left: block.left ?? null,
        isError: block.isError,
        context: context ?? null,
      })),
    hasMore,
  };
}

function describe(result: SearchResult): string {
  const { hasMore } = result;
  return inLines([
    ...searchLines(result).map(lineText),
    ...(hasMore ? ['', translate('There are more results. To show more: {0}', '--limit N')] : []),
  ]);
}
