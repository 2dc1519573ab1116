import type { Fields } from './claudeCodeLines';
import type { Random } from './random';
import type { TextKind, Texts } from './texts';

/** A call with its result: for the model, and as the interface's copy. */
export interface ToolCall {
  readonly name: string;
  readonly input: Fields;
  readonly text: string;
  readonly forInterface: unknown;
}

const tools: readonly [string, ...string[]] = [
  'Read',
  'Read',
  'Bash',
  'Bash',
  'Grep',
  'Edit',
  'Write',
  'Glob',
];

/** @param resultSize median number of characters of its result */
export function toolCall(random: Random, texts: Texts, resultSize: number): ToolCall {
  const name = random.pick(tools);
  const path = `/home/dev/work/${texts.path()}`;
  const size = random.size(resultSize, 1.35, 20, random.chance(0.002) ? 1_000_000 : 60_000);
  switch (name) {
    case 'Read': {
      const text = texts.text('numberedCode', size);
      const content = text.replace(/^ *\d+→/gm, '');
      const numLines = content.split('\n').length;
      return {
        name,
        input: { file_path: path },
        text,
        forInterface: {
          type: 'text',
          file: { filePath: path, content, numLines, startLine: 1, totalLines: numLines },
        },
      };
    }
    case 'Grep':
    case 'Glob': {
      const text = texts.text(name === 'Grep' ? 'grep' : 'listing', size);
      return {
        name,
        input: { pattern: texts.word(), path: '/home/dev/work', output_mode: 'content' },
        text,
        forInterface: {
          mode: 'content',
          numFiles: random.below(60),
          filenames: [],
          content: text,
          numLines: text.split('\n').length,
        },
      };
    }
    case 'Edit': {
      const oldString = texts.text('code', random.size(300, 0.9, 10, 8000));
      const newString = texts.text('code', random.size(420, 0.9, 10, 12_000));
      const originalFile = texts.text('code', random.size(6000, 0.9, 400, 120_000));
      const lines = newString.split('\n').map(line => `+${line}`);
      return {
        name,
        input: { file_path: path, old_string: oldString, new_string: newString },
        text: `The file ${path} has been updated. Here's the result of running \`cat -n\`:\n${texts.text('numberedCode', 600)}`,
        forInterface: {
          filePath: path,
          oldString,
          newString,
          originalFile,
          structuredPatch: [{ oldStart: 12, oldLines: 3, newStart: 12, newLines: lines.length, lines }],
          userModified: false,
          replaceAll: false,
        },
      };
    }
    case 'Write': {
      const content = texts.text(
        random.pick<TextKind>(['code', 'markdown', 'json', 'html']),
        random.size(2500, 1, 50, 60_000),
      );
      return {
        name,
        input: { file_path: path, content },
        text: `File created successfully at: ${path}`,
        forInterface: { type: 'create', filePath: path, content, structuredPatch: [], originalFile: null },
      };
    }
    default: {
      const text = texts.mixed(size);
      return {
        name,
        input: {
          command: `npm run ${texts.word()} -- --${texts.word()} ${texts.path()}`,
          description: texts.sentence(3, 7),
        },
        text,
        forInterface: { stdout: text, stderr: '', interrupted: false, isImage: false },
      };
    }
  }
}
