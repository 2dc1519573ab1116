import { serverToolOf } from '../content/toolSources';
import { kindOf } from '../model/blockWords';
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
  private readonly sources: Uint8Array;
  /** The folder that all files of the session are in, with its separator at the end. */
  private readonly commonFolder: string;

  constructor(private readonly columns: SessionColumns) {
    this.sources = blockSources(columns);
    this.commonFolder = commonFolderOf(columns);
  }

  /** The label of a block, as the transcript has it. */
  nameOf(block: number): string {
    return this.text('label', block);
  }

  of(block: number): readonly Step[] {
    const { blocks } = this.columns;
    const tool = this.text('tool', block);
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

  private isSkill(block: number, tool: string): boolean {
    return skillTool.test(tool) || (tool === '' && !this.isInstructions(block));
  }

  /** Whether a text of the client is a file of instructions, rather than what it says about skills, agents and servers. */
  private isInstructions(block: number): boolean {
    return memoryLabel.test(this.nameOf(block)) || memoryLabel.test(this.text('path', block));
  }

  private fileSteps(block: number): readonly Step[] {
    const path = this.pathOf(block).replaceAll('\\', '/');
    if (path === '') {
      return [step('files')];
    }
    const own = path.startsWith(this.commonFolder) ? path.slice(this.commonFolder.length) : path;
    const cut = own.lastIndexOf('/');
    const file = step('file', own.slice(cut + 1));
    return cut < 1 ? [step('files'), file] : [step('files'), step('folder', own.slice(0, cut)), file];
  }

  private pathOf(block: number): string {
    const pair = this.columns.blocks.pair[block] ?? -1;
    return this.text('path', block) || (pair < 0 ? '' : this.text('path', pair));
  }

  private shellSteps(block: number): readonly Step[] {
    const pair = this.columns.blocks.pair[block] ?? -1;
    const tool = this.text('tool', block);
    const label = this.nameOf(pair < 0 ? block : pair);
    const command = label.startsWith(`${tool} `) ? label.slice(tool.length + 1) : label;
    const program = programOf(command);
    return program === ''
      ? [step('shell')]
      : [step('shell'), step('program', program), step('command', command)];
  }

  private text(column: 'label' | 'tool' | 'path', block: number): string {
    const { blocks, strings } = this.columns;
    return strings.at(blocks[column][block] ?? 0) ?? '';
  }
}

const webTool = /web|fetch|url|browse/i;
const skillTool = /skill|slash_?command/i;
const memoryLabel = /claude\.?md|agents\.md|gemini\.md|memory|rules?\b|instructions/i;

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
