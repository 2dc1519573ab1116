import { translate } from '../base/translate';
import { isFileWriter } from '../content/fileTools';
import { serverToolOf, sourceOfTool } from '../content/toolSources';
import { kindOf } from '../model/blockWords';
import type { BrokenRequest } from './brokenRequests';
import type { CacheBreakCause } from './cacheFinding';
import type { CacheSession } from './cacheSession';

/** Something on record before a loss that often changes the unrecorded prompt or tools. */
export interface MovedPart {
  readonly cause: CacheBreakCause;
  readonly fact: string;
  /** True if caches were observed to be lost right after it clearly more often than otherwise. */
  readonly isOften: boolean;
}

/** Names of instruction files that agents put into their prompt. */
const memoryFile =
  /(?:^|[\s"'/\\=:])((?:agents|claude|gemini|qwen|iflow|crush|warp|copilot-instructions|memory)(?:\.local|\.override)?\.md|\.(?:cursor|windsurf|cline|roo)rules)\b/i;
/** Words of a command that writes files. */
const writing = />|\b(?:tee|sed -i|mv|cp|rm|git (?:checkout|pull|merge|rebase|stash|switch|reset))\b/;
const skillTool = /^(?:skill|activate_skill|use_skill)$/i;
/** The most blocks after a loss in which the first use of a server still tells about it. */
const blocksAhead = 60;

/** The recorded things that moved since the previous prompt, the most telling first. */
export function movedParts(
  session: CacheSession,
  { request, previous }: BrokenRequest,
): readonly MovedPart[] {
  const { columns, contexts } = session;
  const rows = columns.blocks;
  const toolOf = (block: number): string => columns.strings.at(rows.tool[block] ?? 0) ?? '';
  const blocks = contexts.blocksOf(request);
  const length = session.lengthOf(previous);
  const added = Array.from(blocks.subarray(length));
  const isResultOf = (block: number, pattern: RegExp): boolean =>
    kindOf(rows, block) === 'toolResult' && pattern.test(toolOf(block));
  const moved: MovedPart[] = [];
  if (added.some(block => isResultOf(block, /^ToolSearch$/))) {
    moved.push({
      cause: 'toolsAdded',
      fact: translate('Tool schemas were loaded just before.'),
      isOften: true,
    });
  }
  if (added.some(block => isResultOf(block, skillTool) || session.isSkillText(block))) {
    // Observed in Claude Code. Other agents load skills as results, which change nothing before them.
    const isOften = session.rowOf(request)?.family === 'claude';
    moved.push({
      cause: 'skillLoaded',
      fact: isOften
        ? translate('A skill was loaded just before. This often causes a cache loss.')
        : translate('A skill was loaded just before.'),
      isOften,
    });
  }
  const server = newServer(session, request, length, toolOf);
  if (server !== undefined) {
    moved.push({
      cause: 'toolsAdded',
      fact: translate('The MCP server {0} is used for the first time soon after.', server),
      isOften: false,
    });
  }
  const version = session.newVersion(previous, request);
  if (version !== undefined) {
    moved.push({
      cause: 'unrecordedChanged',
      fact: translate('The agent’s version changed to {0}.', version),
      isOften: false,
    });
  }
  const turn = blocks.subarray(0, length).findLastIndex(block => kindOf(rows, block) === 'prompt');
  const file = editedMemory(session, blocks.subarray(Math.max(0, turn)), toolOf);
  if (file !== undefined) {
    moved.push({
      cause: 'systemChanged',
      fact: translate('The instruction file {0} was edited shortly before.', file),
      isOften: false,
    });
  }
  return moved;
}

/** The server of a call right after a place whose server was not called before. */
function newServer(
  { columns, contexts }: CacheSession,
  request: number,
  length: number,
  toolOf: (block: number) => string,
): string | undefined {
  const context = columns.contexts[columns.requests.context[request] ?? 0] ?? contexts.blocksOf(request);
  const serverOf = (block: number): string | undefined =>
    kindOf(columns.blocks, block) === 'toolCall' ? serverToolOf(toolOf(block))?.server : undefined;
  const servers = Array.from(context.subarray(length, length + blocksAhead)).flatMap(
    block => serverOf(block) ?? [],
  );
  if (servers.length === 0) {
    return undefined;
  }
  const known = new Set(Array.from(context.subarray(0, length)).flatMap(block => serverOf(block) ?? []));
  return servers.find(server => !known.has(server));
}

/** The name of an instruction file that a call among these blocks wrote. */
function editedMemory(
  { columns }: CacheSession,
  blocks: Uint32Array,
  toolOf: (block: number) => string,
): string | undefined {
  const { blocks: rows, strings } = columns;
  for (const block of blocks) {
    if (kindOf(rows, block) === 'toolCall') {
      const tool = toolOf(block);
      const label = strings.at(rows.label[block] ?? 0) ?? '';
      const path = strings.at(rows.path[block] ?? 0) ?? '';
      const source = sourceOfTool(tool);
      const isWritten =
        isFileWriter(tool) ||
        /patch|edit|replace|write/i.test(tool) ||
        (source === 'shell' && writing.test(label));
      const found = isWritten ? (memoryFile.exec(path) ?? memoryFile.exec(label)) : null;
      if (found?.[1] !== undefined) {
        return found[1];
      }
    }
  }
  return undefined;
}
