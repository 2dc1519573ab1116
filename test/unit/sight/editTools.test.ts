import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { outcomeOf } from '../../../src/core/sight/editOutcome';
import { editsOfCall, readingsOfCall } from '../../../src/core/sight/editTools';
import { editsOfReply } from '../../../src/core/sight/patchText';
import { plainLines } from '../../../src/core/sight/plainLines';

const swap = [{ path: 'a.ts', parts: [{ kind: 'text', old: 'x', text: 'y', isEverywhere: false }] }];
const swapOfLines = [
  { path: 'a.ts', parts: [{ kind: 'text', old: 'x', text: 'y', isEverywhere: false, isLines: true }] },
];
const whole = [{ path: 'a.ts', parts: [{ kind: 'whole', text: 'y' }] }];

describe('calls of edit tools', () => {
  const calls: readonly (readonly [string, unknown, unknown])[] = [
    ['Edit', { file_path: 'a.ts', old_string: 'x', new_string: 'y' }, swap],
    ['edit', { filePath: 'a.ts', oldString: 'x', newString: 'y' }, swap],
    ['edit', { path: 'a.ts', oldText: 'x', newText: 'y' }, swap],
    ['edit', { path: 'a.ts', old_str: 'x', new_str: 'y' }, swap],
    ['MultiEdit', { file_path: 'a.ts', edits: [{ old_string: 'x', new_string: 'y' }] }, swap],
    [
      'multi_replace_string_in_file',
      { replacements: [{ filePath: 'a.ts', oldString: 'x', newString: 'y' }] },
      swap,
    ],
    ['StrReplaceFile', { path: 'a.ts', edit: { old: 'x', new: 'y' } }, swap],
    ['str_replace_editor', { command: 'str_replace', path: 'a.ts', old_str: 'x', new_str: 'y' }, swap],
    ['mcp__files__edit_file', { path: 'a.ts', edits: [{ oldText: 'x', newText: 'y' }] }, swap],
    ['Write', { file_path: 'a.ts', content: 'y' }, whole],
    ['create', { path: 'a.ts', file_text: 'y' }, [{ path: 'a.ts', parts: [{ kind: 'new', text: 'y' }] }]],
    ['replace_in_file', { path: 'a.ts', diff: '------- SEARCH\nx\n=======\ny\n+++++++ REPLACE' }, swap],
    [
      'apply_diff',
      { path: 'a.ts', diff: '<<<<<<< SEARCH\n:start_line:3\n-------\nx\n=======\ny\n>>>>>>> REPLACE' },
      swap,
    ],
    ['apply_patch', '*** Begin Patch\n*** Update File: a.ts\n@@\n-x\n+y\n*** End Patch', swapOfLines],
    ['str_replace_editor', { command: 'view', path: 'a.ts' }, []],
    ['Read', { file_path: 'a.ts' }, []],
    ['Edit', 'no JSON', []],
  ];
  for (const [tool, input, expected] of calls) {
    it(`${tool}: ${JSON.stringify(input)}`, () => {
      assert.deepEqual(editsOfCall(tool, input), expected);
    });
  }

  it('of a patch that looks for several places say so', () => {
    const part = (lines: string): readonly unknown[] =>
      editsOfCall('apply_patch', `*** Begin Patch\n*** Update File: a.ts\n${lines}\n*** End Patch`);
    const parts = [
      { kind: 'text', old: 'x', text: 'y', isEverywhere: false, isLines: true, isOrdered: true },
    ];
    for (const first of ['@@ def f', '@@\n before\n@@']) {
      assert.deepEqual(part(`${first}\n-x\n+y`), [{ path: 'a.ts', parts }]);
    }
  });

  it('of a patch are told apart by file, with the lines of context as old and new ones', () => {
    const patch = [
      '*** Begin Patch',
      '*** Update File: a.ts',
      '@@',
      ' before',
      '-x',
      '+y',
      '*** Add File: b.ts',
      '+new',
      '*** Delete File: c.ts',
      '*** End Patch',
    ].join('\n');
    assert.deepEqual(editsOfCall('apply_patch', { input: patch }), [
      {
        path: 'a.ts',
        parts: [{ kind: 'text', old: 'before\nx', text: 'before\ny', isEverywhere: false, isLines: true }],
      },
      { path: 'b.ts', parts: [{ kind: 'new', text: 'new' }] },
      { path: 'c.ts', parts: [{ kind: 'whole' }] },
    ]);
  });

  it('stand in the replies of Aider, below the name of the file', () => {
    const reply = 'I do.\n\na.ts\n```ts\n<<<<<<< SEARCH\nx\n=======\ny\n>>>>>>> REPLACE\n```\n';
    assert.deepEqual(editsOfReply(reply), swapOfLines);
  });
});

describe('readings', () => {
  it('name their file and their lines, also as a command', () => {
    assert.deepEqual(readingsOfCall('Read', { file_path: 'a.ts' }), [{ path: 'a.ts' }]);
    assert.deepEqual(readingsOfCall('Read', { file_path: 'a.ts', offset: 11, limit: 10 }), [
      { path: 'a.ts', lines: [11, 20] },
    ]);
    assert.deepEqual(readingsOfCall('view', { path: 'a.ts', view_range: [3, -1] }), [
      { path: 'a.ts', lines: [3, Number.MAX_SAFE_INTEGER] },
    ]);
    assert.deepEqual(readingsOfCall('exec_command', { cmd: "sed -n '5,9p' a.ts", workdir: '/w' }), [
      { path: '/w/a.ts', lines: [5, 9] },
    ]);
    assert.deepEqual(readingsOfCall('Bash', { command: 'cd /w && cat a.ts' }), [{ path: '/w/a.ts' }]);
    assert.deepEqual(readingsOfCall('Bash', { command: 'cat a.ts | grep x' }), []);
    assert.deepEqual(readingsOfCall('Bash', { command: 'rm a.ts' }), []);
  });

  const shown: Readonly<Record<string, string>> = {
    'Claude Code': '     7→if (a) {\n     8→  b();\n     9→}',
    'newer Claude Code': '7\tif (a) {\n8\t  b();\n9\t}',
    opencode: '<path>a.ts</path>\n<type>file</type>\n<content>\n7: if (a) {\n8:   b();\n9: }\n</content>',
    Crush: '<file>\n     7|if (a) {\n     8|  b();\n     9|}\n</file>\n',
    Cline: '[{"query":"a.ts:7-9","result":"7 | if (a) {\\n8 |   b();\\n9 | }","success":true}]',
    'a search with context': 'src/a.ts:7:if (a) {\nsrc/a.ts-8-  b();\nsrc/a.ts-9-}',
    'Gemini CLI':
      'IMPORTANT: cut.\nStatus: Showing lines 7-9 of 20 total lines.\nAction: more.\n\n--- FILE CONTENT (truncated) ---\nif (a) {\n  b();\n}',
    Codex: 'Exit code: 0\nWall time: 0 seconds\nOutput:\nif (a) {\n  b();\n}',
  };
  for (const [agent, text] of Object.entries(shown)) {
    it(`of ${agent} are the lines of the file with their numbers`, () => {
      const plain = plainLines(text, 7);
      assert.equal(plain.text, 'if (a) {\n  b();\n}');
      assert.deepEqual([...plain.numbers], [7, 8, 9]);
    });
  }

  it('keep lists that are part of the file', () => {
    const list = 'Steps:\n\nRead it.\n1. Open\n2. Close\n\nThat is all.\nNo more.';
    assert.equal(plainLines(list, 1).text, list);
  });
});

describe('answers to edits', () => {
  const answers: readonly (readonly [string, boolean, string])[] = [
    ['The file /a.ts has been updated successfully.', false, 'applied'],
    ['Applied: errors were not found in the file.', false, 'applied'],
    ['<tool_use_error>String to replace not found in file.', true, 'notFound'],
    ['Failed to edit, 0 occurrences found for old_string', true, 'notFound'],
    ['apply_patch verification failed: Failed to find expected lines in /a.ts', false, 'notFound'],
    ['<tool_use_error>File has been modified since read, either by the user', true, 'changedSince'],
    ['<tool_use_error>File has not been read yet. Read it first', true, 'notRead'],
    ['Found 2 matches of the string to replace', true, 'ambiguous'],
    ["The user doesn't want to proceed with this tool use.", true, 'refused'],
    ['No changes made to a.ts.', true, 'unchanged'],
    ['EACCES', true, 'failed'],
  ];
  for (const [answer, isError, expected] of answers) {
    it(`${answer} – ${expected}`, () => {
      assert.equal(outcomeOf(answer, isError), expected);
    });
  }

  it('may be missing', () => {
    assert.equal(outcomeOf(undefined, false), 'unanswered');
  });

  it('of a patch of several files deny only the lines of the file that they name', () => {
    const answer = 'apply_patch verification failed: Failed to find expected lines in /w/a.ts:\nx';
    assert.equal(
      outcomeOf(answer, true, path => path === '/w/a.ts'),
      'notFound',
    );
    assert.equal(
      outcomeOf(answer, true, path => path === '/w/b.ts'),
      'failed',
    );
  });
});
