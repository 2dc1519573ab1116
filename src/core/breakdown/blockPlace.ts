import { serverToolOf } from '../content/toolSources';
import { kindOf, partitionOf, provenanceOf } from '../model/blockWords';
import type { SessionColumns } from '../model/columns';
import { sources } from '../model/source';
import { blockSources } from '../view/sourceSums';
import type { BreakdownKind } from './breakdownKinds';

/** One step down the tree: what a part is, and its name in the transcript; empty where the kind is its name. */
export interface Step {
  readonly kind: BreakdownKind;
  readonly name: string;
}

const step = (kind: BreakdownKind, name = ''): Step => ({ kind, name });

/** The way to each block of a session, from its group down to what the block stands in. */
export class BlockPlaces {
  readonly sources: Uint8Array;
  /** The folder that all files of the session are in, with its separator at the end. */
  private readonly commonFolder: string;

  constructor(private readonly columns: SessionColumns) {
    this.sources = blockSources(columns);
    this.commonFolder = commonFolderOf(columns);
  }

  /**
   * The text, among those of the session, that says where a block stands, besides its kind, tool, source, provenance and
   * partition: a path or the label of a command; 0 where there is none. Blocks that are alike in all of them stand in the
   * same place.
   */
  detailOf(block: number): number {
    const { label, path, pair } = this.columns.blocks;
    const own = path[block] ?? 0;
    const other = pair[block] ?? -1;
    if (this.sources[block] === shell) {
      return label[other < 0 ? block : other] ?? 0;
    }
    return own === 0 && other >= 0 ? (path[other] ?? 0) : own;
  }

  of(block: number): readonly Step[] {
    const { blocks } = this.columns;
    const tool = this.toolOf(block);
    switch (kindOf(blocks, block)) {
      case 'systemPrompt':
      case 'structuredOutput':
        return [step('systemPrompt')];
      case 'toolSchema':
        return [...toolSteps(tool), step('schema')];
      case 'toolCall':
        return [...toolSteps(tool), step('calls')];
      case 'prompt':
        return [step('user')];
      case 'assistant':
        return [step('replies')];
      case 'thinking':
        return [step('thinking')];
      case 'summary':
        return [step('summaries')];
      case 'image':
        return [step('media')];
      case 'toolResult':
      case 'injected':
      case 'other':
        return this.ofSource(block, tool);
    }
  }

  private ofSource(block: number, tool: string): readonly Step[] {
    switch (sources[this.sources[block] ?? 0] ?? 'notRecorded') {
      case 'files':
        return this.fileSteps(block);
      case 'shell':
        return this.shellSteps(block);
      case 'search':
        return [step(webTool.test(tool) ? 'web' : 'search'), ...(tool === '' ? [] : [step('tool', tool)])];
      case 'subagents':
        return [step('subagents')];
      case 'memory':
        return this.isSkill(block, tool) ? [step('skills')] : [step('memory')];
      case 'notes':
      case 'you':
        return tool === '' ? [step('reminders')] : resultSteps(tool);
      case 'notRecorded':
      case 'instructions':
      case 'model':
      case 'thinking':
      case 'mcp':
      case 'tools':
        return tool === '' ? [step('other')] : resultSteps(tool);
    }
  }

  /** Whether what the client says is no file of instructions: it is about skills, agents and servers, or a command's text. */
  private isSkill(block: number, tool: string): boolean {
    const { blocks } = this.columns;
    return tool === ''
      ? partitionOf(blocks, block) !== 'knowledge' || provenanceOf(blocks, block) === 'system'
      : skillTool.test(tool);
  }

  private fileSteps(block: number): readonly Step[] {
    const path = (this.columns.strings.at(this.detailOf(block)) ?? '').replaceAll('\\', '/');
    if (path === '') {
      return [step('files')];
    }
    const own = path.startsWith(this.commonFolder) ? path.slice(this.commonFolder.length) : path;
    const cut = own.lastIndexOf('/');
    const file = step('file', own.slice(cut + 1));
    return cut < 1 ? [step('files'), file] : [step('files'), step('folder', own.slice(0, cut)), file];
  }

  private shellSteps(block: number): readonly Step[] {
    const tool = this.toolOf(block);
    const label = this.columns.strings.at(this.detailOf(block)) ?? '';
    const command = label.startsWith(`${tool} `) ? label.slice(tool.length + 1) : label;
    const program = programOf(command);
    return program === ''
      ? [step('shell')]
      : [step('shell'), step('program', program), step('command', command)];
  }

  private toolOf(block: number): string {
    const { blocks, strings } = this.columns;
    return strings.at(blocks.tool[block] ?? 0) ?? '';
  }
}

const webTool = /web|fetch|url|browse/i;
const skillTool = /skill|slash_?command/i;
const shell = sources.indexOf('shell');

function toolSteps(name: string): readonly Step[] {
  const found = serverToolOf(name);
  return found === undefined
    ? [step('builtInTools'), step('tool', name)]
    : [step('mcpServers'), step('server', found.server), step('tool', found.tool)];
}

const resultSteps = (tool: string): readonly Step[] => [...toolSteps(tool), step('results')];

/** Words before a program that say how it is run, and not what. */
const prefixes =
  /^(?:(?:sudo|time|nice|env|exec|command|nohup)\s+|[A-Za-z_]\w*=\S*\s+|cd\s+\S+\s*(?:&&|;)\s*)+/;

/** The program that a command line runs first; empty where it names none. */
export function programOf(command: string): string {
  const [word = ''] = command
    .replace(prefixes, '')
    .trimStart()
    .split(/[\s;|&]/, 1);
  return word.slice(word.lastIndexOf('/') + 1);
}

/** The longest folder that the paths of all files share; empty where there is none. */
function commonFolderOf({ blocks, strings }: SessionColumns): string {
  let common: string | undefined;
  for (const index of new Set(blocks.path)) {
    const path = (strings.at(index) ?? '').replaceAll('\\', '/');
    if (path.includes('/')) {
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
