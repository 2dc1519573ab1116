import { serverToolOf } from '../content/toolSources';
import { contentTypeOf, kindOf, partitionOf, provenanceOf } from '../model/blockWords';
import type { SessionColumns } from '../model/columns';
import { sources } from '../model/source';
import type { TextPart } from '../model/transcript';
import { blockSources } from '../view/sourceSums';
import type { BreakdownGrouping } from './breakdownKinds';
import type { Groups } from './groups';

/** Finds the group of a breakdown for each block of a session. */
export class BlockPlaces {
  readonly sources: Uint8Array;
  /** The common folder of all files of the session, with a separator at the end. */
  readonly commonFolder: string;

  constructor(
    private readonly columns: SessionColumns,
    private readonly groups: Groups,
    private readonly grouping: BreakdownGrouping = 'content',
  ) {
    this.sources = blockSources(columns);
    this.commonFolder = commonFolderOf(columns);
  }

  /**
   * The text of the session that, besides the facts compared by `areAlike`, decides the group of a block: the path of a
   * file, or the label of the call of a command or a skill; 0 if there is none.
   */
  detailOf(block: number): number {
    const { label, path, pair, tool } = this.columns.blocks;
    const other = pair[block] ?? -1;
    switch (kindOf(this.columns.blocks, block)) {
      case 'toolResult':
      case 'injected':
      case 'other':
      case 'image':
        if (this.sources[block] === shell || (this.sources[block] === memory && tool[block] !== 0)) {
          return label[other < 0 ? block : other] ?? 0;
        }
        return path[block] !== 0 || other < 0 ? (path[block] ?? 0) : (path[other] ?? 0);
      case 'systemPrompt':
      case 'structuredOutput':
      case 'toolSchema':
      case 'toolCall':
      case 'prompt':
      case 'assistant':
      case 'thinking':
      case 'summary':
        return 0;
    }
  }

  /** True if two blocks with the same detail are in the same group of a thread. */
  areAlike(one: number, other: number): boolean {
    const { kind, contentType, tool, provenance, partition } = this.columns.blocks;
    return (
      this.sources[one] === this.sources[other] &&
      tool[one] === tool[other] &&
      kind[one] === kind[other] &&
      contentType[one] === contentType[other] &&
      provenance[one] === provenance[other] &&
      partition[one] === partition[other]
    );
  }

  /** The group of a part of a client's text, below the root of its thread's tree. */
  groupOfPart(root: number, { kind, name }: TextPart): number {
    const { groups } = this;
    switch (kind) {
      case 'memory':
        return this.pathGroup(groups.below(root, 'memory'), name);
      case 'skill':
      case 'agent':
        return groups.below(groups.below(root, 'skills'), kind, name);
    }
  }

  /** The group of a block, below the root of its thread's tree. */
  groupOf(root: number, block: number): number {
    const { blocks } = this.columns;
    if (this.grouping === 'tool' && this.toolOf(block) !== '') {
      return this.groupByTool(root, block);
    }
    switch (kindOf(blocks, block)) {
      case 'systemPrompt':
      case 'structuredOutput':
        return this.groups.below(root, 'systemPrompt');
      case 'toolSchema':
        return this.groups.below(this.toolGroup(root, block), 'schema');
      case 'toolCall':
        return this.groups.below(this.toolGroup(root, block), 'calls');
      case 'prompt':
        return this.groups.below(root, 'user');
      case 'assistant':
        return this.groups.below(root, 'replies');
      case 'thinking':
        return this.groups.below(root, 'thinking');
      case 'summary':
        return this.groups.below(root, 'summaries');
      case 'image':
        return this.mediaGroup(root, block);
      case 'other':
        return contentTypeOf(blocks, block) === 'image'
          ? this.mediaGroup(root, block)
          : this.groupBySource(root, block);
      case 'toolResult':
      case 'injected':
        return this.groupBySource(root, block);
    }
  }

  /** The group of a tool's schema, call or result: below the tool, results by command or file. */
  private groupByTool(root: number, block: number): number {
    const { groups } = this;
    const own = this.toolGroup(root, block);
    switch (kindOf(this.columns.blocks, block)) {
      case 'toolSchema':
        return groups.below(own, 'schema');
      case 'toolCall':
        return groups.below(own, 'calls');
      case 'systemPrompt':
      case 'structuredOutput':
      case 'prompt':
      case 'assistant':
      case 'thinking':
      case 'summary':
      case 'image':
      case 'other':
      case 'toolResult':
      case 'injected': {
        const part =
          this.sources[block] === shell
            ? this.commandGroup(own, this.toolOf(block), block)
            : this.sources[block] === files
              ? this.fileGroup(own, block)
              : own;
        return part === own ? groups.below(own, 'results') : part;
      }
    }
  }

  private groupBySource(root: number, block: number): number {
    const { groups } = this;
    const tool = this.toolOf(block);
    switch (sources[this.sources[block] ?? 0] ?? 'notRecorded') {
      case 'files':
        return this.fileGroup(groups.below(root, 'files'), block);
      case 'shell':
        return this.commandGroup(groups.below(root, 'shell'), tool, block);
      case 'search': {
        const found = groups.below(root, webTool.test(tool) ? 'web' : 'search');
        return tool === '' ? found : groups.below(found, 'tool', tool);
      }
      case 'subagents':
        return groups.below(root, 'subagents');
      case 'memory':
        return this.isSkill(block, tool)
          ? this.skillGroup(groups.below(root, 'skills'), tool, block)
          : tool === ''
            ? this.fileGroup(groups.below(root, 'memory'), block)
            : groups.below(groups.below(root, 'memory'), 'tool', tool);
      case 'notes':
      case 'you':
        return tool === '' ? groups.below(root, 'reminders') : this.resultGroup(root, block);
      case 'notRecorded':
      case 'instructions':
      case 'model':
      case 'thinking':
      case 'mcp':
      case 'tools':
        return tool === '' ? groups.below(root, 'other') : this.resultGroup(root, block);
    }
  }

  private toolGroup(root: number, block: number): number {
    const { groups } = this;
    const name = this.toolOf(block);
    const found = serverToolOf(name);
    return found === undefined
      ? groups.below(groups.below(root, 'builtInTools'), 'tool', name)
      : groups.below(
          groups.below(groups.below(root, 'mcpServers'), 'server', found.server),
          'tool',
          found.tool,
        );
  }

  private resultGroup(root: number, block: number): number {
    return this.groups.below(this.toolGroup(root, block), 'results');
  }

  private mediaGroup(root: number, block: number): number {
    const media = this.groups.below(root, 'media');
    const tool = this.toolOf(block);
    return tool === '' || this.detailOf(block) !== 0
      ? this.fileGroup(media, block)
      : this.groups.below(media, 'tool', tool);
  }

  /**
   * True if a text of the client is not an instruction file, but about skills, agents and servers, or the text of a
   * command.
   */
  private isSkill(block: number, tool: string): boolean {
    const { blocks } = this.columns;
    return tool === ''
      ? partitionOf(blocks, block) !== 'knowledge' || provenanceOf(blocks, block) === 'system'
      : skillTool.test(tool);
  }

  /** The group of a file below another group; the other group itself if the file is unknown. */
  private fileGroup(above: number, block: number): number {
    const path = this.textOf(this.detailOf(block));
    return path === '' ? above : this.pathGroup(above, path);
  }

  private pathGroup(above: number, name: string): number {
    const path = name.replaceAll('\\', '/');
    const own = path.startsWith(this.commonFolder) ? path.slice(this.commonFolder.length) : path;
    const cut = own.lastIndexOf('/');
    const folder = cut < 1 ? above : this.groups.below(above, 'folder', own.slice(0, cut));
    return this.groups.below(folder, 'file', own.slice(cut + 1));
  }

  /** The group of the skill that a call loads; the other group itself if the call names no skill. */
  private skillGroup(above: number, tool: string, block: number): number {
    const name = tool === '' ? '' : this.objectOf(block, tool);
    return name === '' || name === tool ? above : this.groups.below(above, 'skill', name);
  }

  /** The command line or skill of the call behind a block, from its label. */
  private objectOf(block: number, tool: string): string {
    const label = this.textOf(this.detailOf(block));
    return label.startsWith(`${tool} `) ? label.slice(tool.length + 1) : label;
  }

  /** The group of a command line, below the group of its program. */
  private commandGroup(above: number, tool: string, block: number): number {
    const command = this.objectOf(block, tool);
    const program = programOf(command);
    return program === ''
      ? above
      : this.groups.below(this.groups.below(above, 'program', program), 'command', command);
  }

  private toolOf(block: number): string {
    return this.textOf(this.columns.blocks.tool[block] ?? 0);
  }

  private textOf(index: number): string {
    return this.columns.strings.at(index) ?? '';
  }
}

const files = sources.indexOf('files');
const shell = sources.indexOf('shell');
const memory = sources.indexOf('memory');
const webTool = /web|fetch|url|browse/i;
const skillTool = /skill|slash_?command/i;

/**
 * Words before a program that only say how it is run. A variable may be set to a text with spaces, or to the output of
 * a program.
 */
const prefixes =
  /^(?:(?:sudo|time|nice|env|exec|command|nohup)\s+|[A-Za-z_]\w*=(?:"?\$\(\s*|(?:'[^']*'|"[^"]*"|\S*)(?:\s*(?:&&|;)\s*|\s+))|cd\s+\S+\s*(?:&&|;)\s*)+/;

/** The first program that a command line runs; empty if it names none. */
export function programOf(command: string): string {
  const [word = ''] = command
    .replace(prefixes, '')
    .trimStart()
    .split(/[\s;|&]/, 1);
  return word.slice(word.lastIndexOf('/') + 1);
}

/** The longest common folder of all file paths; empty if there is none. */
function commonFolderOf({ blocks, strings }: SessionColumns): string {
  let common: string | undefined;
  const isKnown = new Uint8Array(strings.length);
  for (const index of blocks.path) {
    if (isKnown[index] !== 0) {
      continue;
    }
    isKnown[index] = 1;
    const path = (strings.at(index) ?? '').replaceAll('\\', '/');
    if (path.includes('/') && (common === undefined || !path.startsWith(common))) {
      const folder = path.slice(0, path.lastIndexOf('/') + 1);
      common = common === undefined ? folder : sharedFolder(common, folder);
    }
  }
  return common ?? '';
}

function sharedFolder(one: string, other: string): string {
  let shared = 0;
  for (let end = one.indexOf('/') + 1; end > 0; end = one.indexOf('/', end) + 1) {
    if (!other.startsWith(one.slice(0, end))) {
      break;
    }
    shared = end;
  }
  return one.slice(0, shared);
}
