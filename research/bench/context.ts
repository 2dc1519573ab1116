import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { claudeCodeFile, type ClaudeCodeOptions } from '../../test/generator/claudeCodeFile';
import { codexFile } from '../../test/generator/codexFile';
import { appendSteps, type EndlessFile, type FileFacts } from '../../test/generator/lines';
import { type ProgramRun, type Row, runProgram } from './measure';
import type { Panning, SessionFrames } from './panning';

/** `small`: seconds, for a quick look; `medium`: without the files of 500 MB and more; `full`: everything. */
export const benchSizes = ['small', 'medium', 'full'] as const;
export type BenchSize = (typeof benchSizes)[number];

/** A group of rows that are measured together. */
export interface Bench {
  /** The word that chooses it on the command line. */
  readonly name: string;
  readonly measure: (context: BenchContext) => Promise<readonly Row[]>;
}

/** Milliseconds, and megabytes by which the memory of the extension host grew. */
interface LiveAppends {
  /** Until the session is shown first. */
  readonly first: number;
  /** From each append to the right text. */
  readonly times: readonly number[];
  /** The longest for which the extension host could do nothing else. */
  readonly blocked: number;
  readonly megabytes: number;
}

export interface GeneratedFile {
  readonly path: string;
  /** 2 ** 20 bytes. */
  readonly megabytes: number;
  readonly facts: FileFacts;
}

/** Parts outside these sources: the project's scripts, which have no types, and code that runs in a browser. */
export interface BenchTools {
  /** The repository's folder, with fresh bundles in dist. */
  readonly root: string;
  /** The folder of this run's own bundles, the tokenizer among them. */
  readonly bundles: string;
  /** Installs packages, each `name@version`, on demand and separately from the dependencies; returns their folder. */
  readonly installTool: (packages: readonly string[]) => Promise<string>;
  /** True if an error says that a package could not be installed. */
  readonly isNotInstalled: (error: unknown) => boolean;
  /** Milliseconds until VS Code shows each of the files, one after the other. */
  readonly firstPictures: (paths: readonly string[]) => Promise<readonly number[]>;
  /** The time that the status bar takes to follow a session; see research/integration/liveAppends.ts. */
  readonly liveAppends: (
    path: string,
    appends: readonly { readonly text: string; readonly percent: number }[],
  ) => Promise<LiveAppends>;
  readonly measureSessions: (sessions: number) => Promise<SessionFrames>;
  readonly measurePanning: (blocks: number, rounds: number) => Promise<Panning>;
}

const seed = 20_260_412;

/** Shared by the rows: generated files, peers, and our own programs. All files are written to one temporary folder. */
export class BenchContext {
  readonly rounds: number;
  private readonly folder = mkdtempSync(join(tmpdir(), 'context-inspector-bench-'));
  private readonly files = new Map<string, GeneratedFile>();

  constructor(
    readonly size: BenchSize,
    readonly tools: BenchTools,
    rounds?: number,
  ) {
    this.rounds = rounds ?? (size === 'small' ? 1 : 5);
  }

  /** True to measure the files of half a gigabyte and more. */
  get takesBigFiles(): boolean {
    return this.size === 'full';
  }

  /** A size in megabytes; in a small run, a twentieth of it. */
  scaled(megabytes: number): number {
    return this.size === 'small' ? megabytes / 20 : megabytes;
  }

  /** A Claude Code session of at least this many megabytes; a session with the same options is generated only once. */
  claudeCode(megabytes: number, options: Partial<ClaudeCodeOptions> = {}): GeneratedFile {
    const name = `claude-code-${megabytes}-${JSON.stringify(options).replaceAll(/\W+/g, '-')}.jsonl`;
    return this.generated(name, megabytes, () => claudeCodeFile({ seed, ...options }));
  }

  codex(megabytes: number): GeneratedFile {
    return this.generated(`codex-${megabytes}.jsonl`, megabytes, () => codexFile({ seed }));
  }

  private generated(name: string, megabytes: number, make: () => EndlessFile): GeneratedFile {
    const known = this.files.get(name);
    if (known !== undefined) {
      return known;
    }
    const path = join(this.folder, name);
    const file = make();
    this.log(`writing ${name}`);
    const bytes = appendSteps(path, file, megabytes * 2 ** 20);
    const generated = { path, megabytes: bytes / 2 ** 20, facts: file.facts };
    this.files.set(name, generated);
    return generated;
  }

  /** A session's file and the parts that are appended to it, which follow one another. */
  growing(megabytes: number, more: number, times: number): readonly [GeneratedFile, ...GeneratedFile[]] {
    const file = claudeCodeFile({ seed });
    const part = (name: string, size: number): GeneratedFile => {
      const path = join(this.folder, name);
      this.log(`writing ${name}`);
      const bytes = appendSteps(path, file, size * 2 ** 20);
      return { path, megabytes: bytes / 2 ** 20, facts: structuredClone(file.facts) };
    };
    return [
      part(`growing-${megabytes}.jsonl`, megabytes),
      ...Array.from({ length: times }, (_, number) => part(`growth-${number}.jsonl`, more)),
    ];
  }

  /** A new folder inside the temporary folder. */
  scratch(name: string): string {
    const path = join(this.folder, name);
    mkdirSync(path, { recursive: true });
    return path;
  }

  /** Removes a generated file before the end, if the next ones need its space. */
  remove({ path }: GeneratedFile): void {
    rmSync(path, { force: true });
    for (const [name, file] of this.files) {
      if (file.path === path) {
        this.files.delete(name);
      }
    }
  }

  dispose(): void {
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  }

  /** Our command line as a separate process. */
  cli(...words: readonly string[]): Promise<ProgramRun> {
    return this.node(this.bundle('cli'), words);
  }

  /** The same with environment variables. */
  cliWith(environment: Readonly<Record<string, string>>, ...words: readonly string[]): Promise<ProgramRun> {
    return this.node(this.bundle('cli'), words, environment);
  }

  /** The status line as Claude Code starts it, with what it passes. */
  statusline(input: string, environment: Readonly<Record<string, string>>): Promise<ProgramRun> {
    return runProgram(process.execPath, [this.bundle('cli'), 'statusline'], environment, input);
  }

  /** Node with a program that does nothing. */
  bareNode(): Promise<ProgramRun> {
    const path = join(this.scratch('bare'), 'empty.js');
    writeFileSync(path, '');
    return runProgram(process.execPath, [path]);
  }

  /** One of the programs next to this file, as a separate process. */
  program(
    name: string,
    words: readonly string[],
    environment?: Readonly<Record<string, string>>,
  ): Promise<ProgramRun> {
    return this.node(join(this.programs, name), words, environment);
  }

  node(
    script: string,
    words: readonly string[],
    environment: Readonly<Record<string, string>> = {},
  ): Promise<ProgramRun> {
    const peak = ['--require', join(this.programs, 'peak.cjs')];
    return runProgram(process.execPath, [...peak, script, ...words], environment);
  }

  /** Milliseconds of each step; see programs/worker.mjs. */
  async worker(
    ...steps: readonly string[]
  ): Promise<{ readonly times: readonly number[]; readonly run: ProgramRun }> {
    const run = await this.program('worker.mjs', [this.bundle('worker'), this.scratch('code'), ...steps]);
    const times: unknown = JSON.parse(run.output);
    if (!Array.isArray(times) || !times.every(time => typeof time === 'number')) {
      throw new Error(`The worker's times cannot be read: ${run.output}`);
    }
    return { times, run };
  }

  /** One of the extension's bundles. */
  private bundle(name: string): string {
    return join(this.tools.root, 'dist', `${name}.js`);
  }

  /** The folder of the programs that are run without bundling. */
  private get programs(): string {
    return join(this.tools.root, 'research', 'bench', 'programs');
  }

  log(sentence: string): void {
    process.stderr.write(`  ${sentence}\n`);
  }
}
