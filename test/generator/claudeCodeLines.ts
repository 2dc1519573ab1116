import type { Random } from './random';
import type { Texts } from './texts';

export type Fields = Readonly<Record<string, unknown>>;

export interface Conversation {
  readonly agentId: string | undefined;
  parent: string | null;
  /** Characters of everything in the context. */
  characters: number;
  cached: number;
}

/** The lines of a session, with their common members. */
export class ClaudeCodeLines {
  private readonly sessionId: string;
  private readonly progress: readonly string[];
  private lines: string[] = [];
  private time = Date.UTC(2026, 1, 9, 8, 0, 0);
  private ids = 0;

  constructor(
    private readonly random: Random,
    private readonly texts: Texts,
    private readonly version: string,
  ) {
    this.sessionId = random.uuid();
    this.progress = Array.from({ length: 400 }, () => this.progressData());
  }

  /** The lines written since the last call. */
  take(): { readonly text: string; readonly count: number } {
    const taken = { text: this.lines.join(''), count: this.lines.length };
    this.lines = [];
    return taken;
  }

  line(on: Conversation, type: string, rest: Fields): void {
    const uuid = this.random.uuid();
    this.push(
      JSON.stringify({
        parentUuid: on.parent,
        isSidechain: on.agentId !== undefined,
        userType: 'external',
        cwd: '/home/dev/work',
        sessionId: this.sessionId,
        version: this.version,
        gitBranch: 'main',
        ...(on.agentId === undefined ? {} : { agentId: on.agentId }),
        type,
        ...rest,
        uuid,
        timestamp: this.now(),
      }),
    );
    on.parent = uuid;
  }

  /** Writes one of a few hundred bodies, because gigabytes of them are needed. */
  progressLine(on: Conversation, id: string): void {
    const uuid = this.random.uuid();
    this.push(
      `{"parentUuid":${JSON.stringify(on.parent)},"isSidechain":${on.agentId !== undefined},"userType":"external","cwd":"/home/dev/work","sessionId":"${this.sessionId}","version":"${this.version}","gitBranch":"main","type":"progress","data":${this.progress[this.random.below(this.progress.length)] ?? '{}'},"toolUseID":"bash-progress-${this.random.hex(6)}","parentToolUseID":"${id}","uuid":"${uuid}","timestamp":"${this.now()}"}`,
    );
    on.parent = uuid;
  }

  /** A line that belongs to no conversation. */
  meta(type: string, rest: Fields): void {
    this.push(JSON.stringify({ type, ...rest }));
  }

  private push(line: string): void {
    this.lines.push(`${line}\n`);
  }

  now(): string {
    this.time += this.random.between(200, 9000);
    return new Date(this.time).toISOString();
  }

  id(prefix: string): string {
    this.ids += 1;
    return `${prefix}${this.random.hex(12)}${this.ids.toString(36).padStart(8, '0')}`;
  }

  private progressData(): string {
    const output = this.texts.mixed(this.random.size(900, 1.2, 20, 30_000));
    return JSON.stringify({
      type: 'bash_progress',
      output,
      fullOutput: output,
      elapsedTimeSeconds: this.random.below(300),
      totalLines: output.split('\n').length,
    });
  }
}
