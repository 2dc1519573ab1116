import { createRandom } from './random.mjs';
import { templatedModules } from './modules.mjs';
import { Project } from './project.mjs';
import { ThreadRecorder } from './recorder.mjs';
import { handWritten } from './sources.mjs';

const model = 'claude-sonnet-4-5-20250929';

/** What the story is told with: the project's files, the main thread, and the tools as functions that give tool calls. */
export class Session {
  random = createRandom(20260609);
  clock = { now: Date.parse('2026-06-09T16:42:11.480Z') };
  subagents = new Map();

  constructor(root) {
    this.project = new Project(root, { ...handWritten, ...templatedModules(this.random) });
    this.shared = {
      userType: 'external',
      entrypoint: 'cli',
      cwd: root,
      sessionId: this.random.uuid(),
      version: '2.1.212',
      gitBranch: 'fix/posting-dates',
      slug: 'patient-counting-heron',
    };
    this.main = new ThreadRecorder({
      random: this.random,
      clock: this.clock,
      shared: this.shared,
      model,
      hiddenTokens: 16_480,
    });
  }

  subagent(agentId) {
    const thread = new ThreadRecorder({
      random: this.random,
      clock: this.clock,
      shared: this.shared,
      model,
      hiddenTokens: 9_120,
      isSidechain: true,
      agentId,
    });
    this.subagents.set(agentId, thread);
    return thread;
  }

  read(path, offset, limit) {
    const content = this.project.numbered(path, offset, limit);
    const text = this.project.text(path);
    const lines = text.split('\n');
    const from = offset ?? 1;
    const shown = lines.slice(from - 1, from - 1 + (limit ?? lines.length));
    return {
      name: 'Read',
      input: {
        file_path: this.project.absolute(path),
        ...(offset === undefined ? {} : { offset }),
        ...(limit === undefined ? {} : { limit }),
      },
      result: {
        content,
        toolUseResult: {
          type: 'text',
          file: {
            filePath: this.project.absolute(path),
            content: shown.join('\n'),
            numLines: shown.length,
            startLine: from,
            totalLines: lines.length,
          },
        },
      },
    };
  }

  grep(pattern, folder = 'src') {
    const hits = this.project.grep(pattern, folder);
    return {
      name: 'Grep',
      input: { pattern, path: this.project.absolute(folder), output_mode: 'content', '-n': true },
      result: {
        content: hits.join('\n'),
        toolUseResult: {
          mode: 'content',
          numFiles: new Set(hits.map(hit => hit.split(':')[0])).size,
          filenames: [],
          numLines: hits.length,
        },
      },
    };
  }

  bash(command, description, output, { isError = false, seconds } = {}) {
    return {
      name: 'Bash',
      input: { command, description },
      seconds,
      result: {
        content: isError ? `Exit code 1\n${output}` : output,
        isError,
        // The program's own copy is cut, as it is not what the model reads.
        toolUseResult: isError
          ? `Error: Exit code 1\n${output.slice(0, 400)}`
          : { stdout: output.slice(0, 2000), stderr: '', interrupted: false, isImage: false },
      },
    };
  }

  edit(path, oldText, newText, everywhere = false) {
    const structuredPatch = this.project.edit(path, oldText, newText, everywhere);
    return {
      name: 'Edit',
      input: {
        file_path: this.project.absolute(path),
        old_string: oldText,
        new_string: newText,
        ...(everywhere ? { replace_all: true } : {}),
      },
      result: {
        content: `The file ${this.project.absolute(path)} has been updated.`,
        toolUseResult: {
          filePath: this.project.absolute(path),
          oldString: oldText,
          newString: newText,
          structuredPatch,
          userModified: false,
          replaceAll: everywhere,
        },
      },
    };
  }

  write(path, text) {
    const isNew = !this.project.files.has(path);
    this.project.write(path, text);
    return {
      name: 'Write',
      input: { file_path: this.project.absolute(path), content: text },
      result: {
        content: isNew
          ? `File created at ${this.project.absolute(path)}`
          : `The file ${this.project.absolute(path)} has been updated.`,
        toolUseResult: {
          type: isNew ? 'create' : 'update',
          filePath: this.project.absolute(path),
          content: text,
          structuredPatch: [],
        },
      },
    };
  }

  /** Items as `[status, text]`. */
  todos(items) {
    const todos = items.map(([status, content]) => ({ content, status, activeForm: content }));
    return {
      name: 'TodoWrite',
      input: { todos },
      result: {
        content: 'The list of tasks has been changed. Go on with the task that is in progress.',
        toolUseResult: { oldTodos: [], newTodos: todos },
      },
    };
  }

  /** The end of a turn, as the client notes it. */
  endTurn(begunAt) {
    this.main.system('stop_hook_summary', {
      hookCount: 1,
      hookInfos: [{ command: 'scripts/hooks/check-staged.sh', durationMs: this.random.int(180, 900) }],
      hookErrors: [],
      preventedContinuation: false,
      stopReason: '',
      hasOutput: false,
      level: 'suggestion',
    });
    this.main.system('turn_duration', { durationMs: this.clock.now - begunAt });
  }
}
