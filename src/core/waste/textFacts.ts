import { entryOf } from '../base/entryOf';
import { isArray, isObject, parseJson, stringAt } from '../base/json';
import { lazy } from '../base/lazy';
import { isFileReader, isFileWriter } from '../content/fileTools';
import { sourceOfTool } from '../content/toolSources';
import { kindOf, partitionOf, provenanceOf } from '../model/blockWords';
import type { SessionColumns } from '../model/columns';
import { pathOf } from './filePaths';
import { hashOf, lineHashes } from './lineHashes';
import { noisyLines } from './noisyPrograms';
import { WordReferences } from './wordReferences';

/** Tokens of a text by some tokenizer. */
export type CountTokens = (text: string) => number;

/** Output that a flag would have cut: the program's row, and the share of the result's tokens. */
export interface NoisyShare {
  readonly id: string;
  readonly share: number;
}

/** A file that a shell command shows. */
export interface ShownFile {
  readonly path: string;
  /** Equal for equal output, whatever the agent writes around it. */
  readonly content: number;
}

/** Tools that show and change files under one name, by a member of their arguments. */
const editorTool = /(?:str_replace_(?:based_edit_tool|editor)|file_editor|text_editor|editor)$/i;
const patchTool = /apply_?patch$/i;
/** A command line that shows one file and does nothing else. */
const showsFile =
  /^\s*(?:cat|nl(?:\s+-\w+)*|bat|head(?:\s+-n?\s*\d+)?|tail(?:\s+-n?\s*[+\d]+)?|sed\s+-n\s+['"]?[\d,$]+p['"]?)\s+(?:--\s+)?['"]?([\w./@+-]+)['"]?\s*$/;
/** The text that Codex writes before the output of a command. */
const outputHeading =
  /^(?:(?:Chunk ID|Wall time|Process exited|Process running|Original token count|Exit code|Total output lines)[^\n]*\n)+(?:Output:\n)?/;
/** The beginning of a text that a hook added (Claude Code, Gemini CLI and forks). */
const hookHead =
  /^\s*(?:<system-reminder>\s*)?(?:<(?:user-prompt-submit-hook|hook_context)>|\w+(?::[\w-]+)? hook (?:additional context|success|system message)\b)/;
/** The label of a hook's text that is recorded without its frame. */
const hookLabel = /^hook (?:additional context|success|system message)\b/;
/** An example of a run is no instruction: its results repeat each other. */
const demonstration = /^\s*Here is a demonstration of how to/;
const pageSnapshot = /^(?:#+ )?(?:- )?Page Snapshot\b|^### Page state\b/m;
/** The length of text that is searched for a snapshot's heading, in UTF-16 units. */
const snapshotHead = 4_000;

/** Facts from the texts of a session, read once in the order of the file. */
export class TextFacts {
  /** By result: output that a flag would have cut. */
  readonly noisy = new Map<number, NoisyShare>();
  /** By result of a shell: the file that it shows. */
  readonly shownFiles = new Map<number, ShownFile>();
  /** Texts of system prompts and memory files. */
  readonly instructions = new Map<number, string>();
  /** Texts that a hook of the user added, as hashes without their numbers. */
  readonly hooks = new Map<number, number>();
  /** Results that hold a snapshot of a page. */
  readonly pages = new Set<number>();
  /** Calls of editors that show a file, and calls that change one under a name of their own. */
  readonly showing = new Set<number>();
  readonly changing = new Set<number>();
  /** The lines that a call replaces, as hashes, by call; all lines of the file if the call rewrites it. */
  private readonly replaced = new Map<number, Float64Array | 'all'>();
  /** By result that shows a file: its lines, as hashes. */
  private readonly lines = new Map<number, Float64Array>();
  private readonly words: WordReferences;
  private readonly use = lazy(() => this.words.finish());
  private readonly commands = new Map<number, string>();
  /** By the file that calls name: the results that no later call has named again. */
  private readonly resultsOf = new Map<number, number[]>();
  private readonly namedAgain: Uint8Array;
  /** Files that a call may change. For all other files, the lines shown do not matter. */
  private readonly changedPaths: ReadonlySet<string>;
  private conversation = 0;

  constructor(
    private readonly columns: SessionColumns,
    private readonly count: CountTokens,
    /** True if threads are separate conversations, not subagents of one. */
    private readonly areApart: boolean,
  ) {
    this.words = new WordReferences(columns.blocks.kind.length);
    this.namedAgain = new Uint8Array(columns.blocks.kind.length);
    const calls = [...columns.blocks.kind.keys()].filter(
      block => kindOf(columns.blocks, block) === 'toolCall' && mayChange(this.toolOf(block)),
    );
    this.changedPaths = new Set(calls.map(call => pathOf(columns, columns.blocks.pair[call] ?? -1, call)));
  }

  /** The blocks whose texts are read, in the order of the file. */
  static blocksToRead({ blocks }: SessionColumns): readonly number[] {
    return [...blocks.kind.keys()].filter(block => {
      const kind = kindOf(blocks, block);
      return kind !== 'toolSchema' && kind !== 'image' && kind !== 'structuredOutput';
    });
  }

  read(block: number, text: string): void {
    const { blocks, requests } = this.columns;
    const first = blocks.firstRequest[block] ?? -1;
    // The last reply is in no request; it belongs to the messages before it.
    this.conversation = first < 0 || !this.areApart ? this.conversation : (requests.thread[first] ?? 0);
    const kind = kindOf(blocks, block);
    if (kind === 'injected' || kind === 'prompt') {
      this.readHook(block, text);
    }
    switch (kind) {
      case 'toolCall':
        this.readCall(block, text);
        this.words.read(block, text, this.conversation, 'call');
        return;
      case 'assistant':
      case 'thinking':
      case 'prompt':
      case 'summary':
        this.words.read(block, text, this.conversation, 'use');
        return;
      case 'toolResult':
        this.readResult(block, text);
        // The answer of a subagent was written by a model.
        this.words.read(
          block,
          text,
          this.conversation,
          sourceOfTool(this.toolOf(block)) === 'subagents' ? 'use' : 'result',
        );
        return;
      case 'systemPrompt':
      case 'injected':
        if ((kind === 'systemPrompt' || isMemoryFile(this.columns, block)) && !demonstration.test(text)) {
          this.instructions.set(block, text);
        }
        this.words.read(block, text, this.conversation, 'other');
        return;
      case 'toolSchema':
      case 'image':
      case 'structuredOutput':
      case 'other':
    }
  }

  /** Ends reading. After this, the results can be queried. */
  finish(): void {
    this.use();
  }

  /** The last text that refers to a result or to the arguments of its call; -1 for none. */
  lastUse(result: number): number {
    const call = this.columns.blocks.pair[result] ?? -1;
    const { last } = this.use();
    return Math.max(last[result] ?? -1, call < 0 ? -1 : (last[call] ?? -1));
  }

  /** True if a change replaces lines that a reading shows. */
  isTouched(reading: number, change: number): boolean {
    const lines = this.lines.get(reading);
    const replaced = this.replaced.get(change) ?? 'all';
    if (replaced === 'all' || lines === undefined) {
      return true;
    }
    const gone = new Set(replaced);
    return lines.some(line => gone.has(line));
  }

  /** True if a later call names the file of a result. */
  isNamedAgain(result: number): boolean {
    return this.namedAgain[result] === 1;
  }

  /** Number of words that occur in a result for the first time, and their share of all its words. */
  newWords(result: number): { readonly count: number; readonly share: number } {
    const { brought, held } = this.use();
    const count = brought[result] ?? 0;
    return { count, share: count / Math.max(1, held[result] ?? 0) };
  }

  tokensOf(text: string): number {
    return this.count(text);
  }

  private toolOf(block: number): string {
    return this.columns.strings.at(this.columns.blocks.tool[block] ?? 0) ?? '';
  }

  private readCall(block: number, text: string): void {
    const path = this.columns.blocks.path[block] ?? 0;
    for (const result of this.resultsOf.get(path) ?? []) {
      this.namedAgain[result] = 1;
    }
    this.resultsOf.delete(path);
    const tool = this.toolOf(block);
    if (sourceOfTool(tool) === 'shell') {
      this.commands.set(block, commandOf(text));
    } else if (editorTool.test(tool)) {
      const command = stringAt(parseJson(text), 'command');
      if (command === 'view') {
        this.showing.add(block);
      } else {
        this.noteChange(block, text);
      }
    } else if (isFileReader(tool)) {
      this.showing.add(block);
    } else if (mayChange(tool)) {
      this.noteChange(block, text);
    }
  }

  /** Times and counters in a hook's text do not make it another text. */
  private readHook(block: number, text: string): void {
    const { blocks, strings } = this.columns;
    if (hookHead.test(text) || hookLabel.test(strings.at(blocks.label[block] ?? 0) ?? '')) {
      this.hooks.set(block, hashOf(text.replace(/\d+/g, '0')));
    }
  }

  private noteChange(block: number, text: string): void {
    this.changing.add(block);
    this.replaced.set(block, replacedLines(text));
  }

  private readResult(block: number, text: string): void {
    const call = this.columns.blocks.pair[block] ?? -1;
    if (this.changing.has(call) && isRefused.test(text)) {
      // Nothing was changed, though no record calls it an error.
      this.changing.delete(call);
    }
    if (this.showing.has(call) && this.changedPaths.has(pathOf(this.columns, block, call))) {
      this.lines.set(block, lineHashes(text));
    }
    const path = this.columns.blocks.path[call] ?? 0;
    if (path !== 0) {
      entryOf<number, number[]>(this.resultsOf, path, () => []).push(block);
    }
    const command = this.commands.get(call);
    if (command !== undefined) {
      const [, path] = showsFile.exec(command) ?? [];
      if (path !== undefined) {
        this.lines.set(block, lineHashes(text));
        this.shownFiles.set(block, { path, content: hashOf(text.replace(outputHeading, '')) });
        return;
      }
      const found = noisyLines(command, text);
      if (found !== undefined) {
        const whole = this.count(text);
        this.noisy.set(block, {
          id: found.id,
          share: whole === 0 ? 0 : Math.min(1, this.count(found.text) / whole),
        });
      }
    } else if (pageSnapshot.test(text.slice(0, snapshotHead))) {
      this.pages.add(block);
    }
  }
}

/** True if a text of the client is a file of instructions. */
export function isMemoryFile({ blocks }: SessionColumns, block: number): boolean {
  return (
    kindOf(blocks, block) === 'injected' &&
    partitionOf(blocks, block) === 'knowledge' &&
    provenanceOf(blocks, block) === 'developer'
  );
}

/** True if calls of a tool may change files. */
function mayChange(tool: string): boolean {
  return editorTool.test(tool) || isFileWriter(tool) || patchTool.test(tool);
}

/** The command line of a shell's call. */
function commandOf(text: string): string {
  const value = parseJson(text);
  const found = isObject(value)
    ? (value['command'] ?? value['cmd'] ?? value['script'] ?? value['input'])
    : value;
  if (isArray(found)) {
    const words = found.filter(word => typeof word === 'string');
    // `bash -lc COMMAND`
    return /^-\w*c$/.test(words.at(-2) ?? '') ? (words.at(-1) ?? '') : words.join(' ');
  }
  return typeof found === 'string' ? found : text;
}

const isRefused = /^\s*(?:error\b|no replacement|failed\b|could not|file (?:not|does not|has not))/i;
const oldTexts = ['old_string', 'old_str', 'oldString', 'oldText', 'old_text', 'search'];

/** The lines that a change removes, as hashes; `all` if they are not known. */
function replacedLines(text: string): Float64Array | 'all' {
  const value = parseJson(text);
  const patch =
    typeof value === 'string' ? value : (stringAt(value, 'input') ?? stringAt(value, 'patch') ?? text);
  if (patch.includes('*** Begin Patch')) {
    return lineHashes(
      patch
        .split('\n')
        .flatMap(line => (line.startsWith('-') ? [line.slice(1)] : []))
        .join('\n'),
    );
  }
  const edits = isObject(value) && isArray(value['edits']) ? value['edits'] : [];
  const old = [value, ...edits].flatMap(edit => oldTexts.flatMap(name => stringAt(edit, name) ?? []));
  return old.length === 0 ? 'all' : lineHashes(old.join('\n'));
}
