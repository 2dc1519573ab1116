import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it } from 'node:test';
import { formatBytes } from '../../../src/core/base/format';
import { isInFolder, projectFolderNames, readProjectNote } from '../../../src/core/finder/projectNames';
import { listSessions, type SessionFile } from '../../../src/core/finder/sessionList';
import { outlineSession } from '../../../src/core/finder/sessionOutline';
import { probeSession } from '../../../src/core/finder/sessionProbe';
import { describeAge, describeSession, oneLine } from '../../../src/core/finder/sessionText';
import { Gate } from '../../../src/core/sensitivity/gate';
import { secretScanner } from '../../../src/node/secretScannerOnDemand';
import { ClaudeCodeSession } from '../../fixtures/claudeCodeSession';

const file = (path: string, modified: number, rest: Partial<SessionFile> = {}): SessionFile => ({
  agent: 'Codex',
  path,
  size: 1,
  modified,
  projectKey: path,
  isKnown: true,
  ...rest,
});

describe('the list of sessions', () => {
  it('has those of the workspace first, then by agent and project, newest first', () => {
    const claude = (path: string, modified: number, folder: string): SessionFile =>
      file(path, modified, { agent: 'Claude Code', projectKey: folder, projectFolder: folder });
    const facts = new Map([
      ['/c/1', { workingDirectory: '/work/shop/api' }],
      ['/c/2', { workingDirectory: '/work/other' }],
      ['/c/3', { workingDirectory: '/work/other', isSubagent: true }],
      ['-work-till', { workingDirectory: '/work/till' }],
    ]);
    const { workspace, agents } = listSessions(
      [
        file('/c/1', 10),
        file('/c/2', 20),
        file('/c/3', 25),
        file('/c/4', 5),
        claude('/p/a', 30, '-work-shop'),
        claude('/p/b', 15, '-work-till'),
        claude('/p/c', 40, '-work-till'),
        claude('/p/d', 18, '-work-hidden'),
      ],
      ['/work/shop'],
      ({ projectKey }) => facts.get(projectKey) ?? {},
    );
    assert.deepStrictEqual(
      {
        workspace: workspace.map(({ path }) => path),
        agents: agents.map(({ agent, projects }) => [
          agent,
          projects.map(({ name, sessions }) => [name, sessions.map(({ path }) => path)]),
        ]),
      },
      {
        workspace: ['/p/a', '/c/1'],
        agents: [
          [
            'Claude Code',
            [
              ['/work/till', ['/p/c', '/p/b']],
              ['-work-hidden', ['/p/d']],
            ],
          ],
          [
            'Codex',
            [
              ['/work/other', ['/c/2']],
              ['', ['/c/4']],
            ],
          ],
        ],
      },
    );
  });

  it('knows a workspace by the names that agents give its folder', () => {
    const names = projectFolderNames('/home/ada/book_shop');
    const hash = (algorithm: string): string =>
      createHash(algorithm).update('/home/ada/book_shop').digest('hex');
    for (const name of [
      '-home-ada-book-shop',
      'home-ada-book-shop',
      '--home-ada-book_shop--',
      hash('sha256'),
      hash('md5'),
    ]) {
      assert.ok(names.has(name), name);
    }
    assert.ok(projectFolderNames('C:\\Users\\ada').has('C--Users-ada'));
  });

  it('takes a folder for inside another one only below it', () => {
    assert.deepStrictEqual(
      [
        isInFolder('/work/shop', '/work/shop/'),
        isInFolder('/work/shop/api', '/work/shop'),
        isInFolder('/work/shopping', '/work/shop'),
        isInFolder('c:\\Work\\Shop\\api', 'C:\\work\\shop'),
      ],
      [true, true, false, true],
    );
  });

  it('reads the notes that agents leave in a project’s folder', () => {
    assert.deepStrictEqual(
      [
        readProjectNote('/home/ada/shop\n'),
        readProjectNote('{"folder":"file:///home/ada/my%20shop"}'),
        readProjectNote('{"folder":"file:///c%3A/work"}'),
        readProjectNote('{"folder":"vscode-remote://ssh/x"}'),
        readProjectNote('{"folder":"file:///%E0%A4%A"}'),
        readProjectNote('{ broken'),
        readProjectNote(''),
      ],
      ['/home/ada/shop', '/home/ada/my shop', 'c:\\work', undefined, undefined, undefined, undefined],
    );
  });

  it('finds the working directory and the parent in a cut head, and not inside of strings', () => {
    assert.deepStrictEqual(
      [
        probeSession('{"type":"session_meta","payload":{"id":"a","cwd":"/w/\\u0061","base'),
        probeSession('{"text":"{\\"cwd\\":\\"/wrong\\"}", "cwd": "C:\\\\right"}'),
        probeSession(
          '{"source":{"subagent":{"thread_spawn":{"parent_thread_id":"p-1","depth":1}}},"cwd":"/w"}',
        ),
        probeSession('{"id":"ses_2","parentID":"ses_1","directory":"/w"}'),
        probeSession('{"cwd":"/cut off'),
        probeSession(''),
      ],
      [
        { workingDirectory: '/w/a' },
        { workingDirectory: 'C:\\right' },
        { workingDirectory: '/w', parent: 'p-1' },
        { workingDirectory: '/w', parent: 'ses_1' },
        {},
        {},
      ],
    );
  });
});

describe('the text of a session', () => {
  const now = Date.UTC(2026, 10, 22, 12);
  const hour = 3_600_000;

  it('says age, requests, size and fill', async () => {
    const { title, description, tooltip } = await describeSession(
      file('/p/x.jsonl', now - hour, { size: 1_234_567 }),
      {
        kind: 'session',
        outline: {
          format: 'codex',
          agent: 'Codex',
          title: 'Fix the  rounding\nof totals',
          model: 'gpt-5.5',
          requests: 1234,
          isWhole: false,
          workingDirectory: '/work/shop',
          lastTime: now - 2 * hour,
          fill: { tokens: 100_000, window: 400_000 },
        },
      },
      now,
      new Gate(secretScanner),
    );
    assert.equal(title, 'Fix the rounding of totals');
    assert.equal(description, '2 h ago · about 1,234 requests · 1.2 MB · 25 %');
    assert.match(
      tooltip,
      /^Fix the rounding of totals\nCodex · gpt-5\.5\n\/work\/shop\n.*100,000 tokens, 25 % of the window/,
    );
    assert.match(tooltip, /\/p\/x\.jsonl$/);
  });

  it('takes a secret out of a prompt before it cuts the title', async () => {
    const secret = ['sk', 'live', 'CqiSKSRoQZpaWmTnbXeYkLfH'].join('_');
    const session = new ClaudeCodeSession()
      .prompt(`-SERVICE_KEY=\n+SERVICE_KEY=${secret}\nis this the right one?`)
      .reply({ text: 'Yes.' });
    const head = new TextEncoder().encode(session.toString());
    for (const ends of [
      { size: head.length, head },
      { size: 10 * head.length, head, tail: head },
    ]) {
      const result = await outlineSession(ends);
      assert.equal(result.kind, 'session');
      const { title } = await describeSession(file('/p/x.jsonl', now), result, now, new Gate(secretScanner));
      assert.match(title, /^-SERVICE_KEY= \+SERVICE_KEY=\[redacted: /);
      assert.ok(!title.includes(secret.slice(0, 12)), title);
    }
  });

  it('falls back to the name of a file that tells nothing', async () => {
    const packed = file('/d/opencode.db', now);
    assert.deepStrictEqual(await describeSession(packed, { kind: 'packed' }, now, new Gate(secretScanner)), {
      title: 'opencode.db',
      description: 'now · 1 B',
      tooltip: `opencode.db\nCodex\n1 B\n${new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' }).format(now)}\n/d/opencode.db`,
    });
  });

  it('lets hostile names neither break the line nor turn it round', () => {
    assert.equal(oneLine('a\u202Eb\u0000c\r\nd\u2066e'), 'abc de');
    assert.equal(oneLine('x'.repeat(500)).length, 120);
    assert.equal(oneLine(`${'x'.repeat(118)}😀😀`).at(-2), 'x');
  });

  it('rounds ages and sizes down to one unit', () => {
    const ages = [
      59_000,
      60_000,
      59 * 60_000,
      hour,
      23 * hour,
      24 * hour,
      364 * 24 * hour,
      800 * 24 * hour,
      -5,
    ];
    assert.deepStrictEqual(ages.map(describeAge), [
      'now',
      '1 min ago',
      '59 min ago',
      '1 h ago',
      '23 h ago',
      '1 d ago',
      '364 d ago',
      '2 y ago',
      'now',
    ]);
    assert.deepStrictEqual([999, 1500, 999_499, 12_340_000].map(formatBytes), [
      '999 B',
      '1.5 KB',
      '999 KB',
      '12.3 MB',
    ]);
  });
});
