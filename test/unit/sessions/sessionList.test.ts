import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it } from 'node:test';
import { formatBytes } from '../../../src/core/base/format';
import { folderNames, projectFolderNames, readProjectNote } from '../../../src/core/finder/projectNames';
import { isInFolder } from '../../../src/core/finder/pathMapping';
import { listSessions, type SessionFile } from '../../../src/core/finder/sessionList';
import { outlineSession } from '../../../src/core/finder/sessionOutline';
import { probeBranch, probeSession } from '../../../src/core/finder/sessionProbe';
import { describeAge, describeSession, oneLine } from '../../../src/core/finder/sessionText';
import { Gate } from '../../../src/core/sensitivity/gate';
import { secretScanner } from '../../../src/node/secrets/secretScannerOnDemand';
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
  const claude = (path: string, modified: number, folder: string): SessionFile =>
    file(path, modified, { agent: 'Claude Code', projectKey: folder, projectFolder: folder });

  it('is newest first, and knows what belongs to the workspace and who started whom', () => {
    const facts = new Map([
      ['/c/1', { workingDirectory: '/work/shop/api' }],
      ['/c/2', { workingDirectory: '/work/other' }],
      ['/c/3', { workingDirectory: '/work/other', isSubagent: true }],
      ['-work-till', { workingDirectory: '/work/till' }],
    ]);
    const { sessions } = listSessions(
      [
        file('/c/1', 10),
        file('/c/2', 20),
        file('/c/3', 25),
        claude('/p/a', 30, '-work-shop'),
        claude('/p/b', 15, '-work-till'),
        file('/work/shop/.crush/crush.db', 12, { workingDirectory: '/work/shop' }),
      ],
      ['/work/shop'],
      ({ projectKey }) => facts.get(projectKey) ?? {},
    );
    assert.deepStrictEqual(
      sessions.map(({ file: { path }, isHere }) => [path, isHere]),
      [
        ['/p/a', true],
        ['/c/2', false],
        ['/p/b', false],
        ['/work/shop/.crush/crush.db', true],
        ['/c/1', true],
      ],
    );
  });

  it('says of each project what is known of it', () => {
    const facts = new Map([
      ['/c/1', { workingDirectory: '/home/ada/v1/harbor-api' }],
      ['/c/2', { workingDirectory: '/home/ada/v2/harbor-api' }],
      ['/c/3', { workingDirectory: '/home/ada/notes' }],
    ]);
    const hash = createHash('sha256').update('/home/ada/notes').digest('hex');
    const { sessions, projects } = listSessions(
      [
        file('/c/1', 90),
        file('/c/2', 80),
        file('/c/3', 70),
        file('/g/1', 60, { agent: 'Gemini CLI', projectKey: hash, projectFolder: hash }),
        file('/g/2', 50, { agent: 'Gemini CLI', projectKey: 'f', projectFolder: 'f0'.repeat(32) }),
        file('/c/4', 40),
        file('/v/1', 30, {
          agent: 'Copilot Chat',
          projectKey: 'e',
          projectFolder: 'emptyWindowChatSessions',
        }),
        claude('/p/1', 20, '-home-ada-gone'),
        file('/runs/captured/one.jsonl', 10, { isKnown: false }),
      ],
      [],
      ({ projectKey }) => facts.get(projectKey) ?? {},
    );
    assert.deepStrictEqual(
      sessions.map(({ project }) => projects[project]?.name),
      [
        'v1 / harbor-api',
        'v2 / harbor-api',
        'notes',
        // The same folder: another agent knows it by the hash of its path.
        'notes',
        'Gemini CLI: folder not recorded (f0f0f0…)',
        'Codex: folder not recorded',
        'Windows without a folder',
        'home-ada-gone',
        'captured',
      ],
    );
    assert.equal(new Set(projects.map(({ key }) => key)).size, projects.length);
  });

  it('tells folders of equal name apart by as many folders above them as it takes', () => {
    assert.deepStrictEqual(
      [...folderNames(['/a/x/shop', '/b/x/shop', '/c/shop', 'C:\\work\\till', '/', '/w/one', '/w/one/'])],
      [
        ['C:\\work\\till', 'till'],
        ['/', '/'],
        ['/c/shop', 'c / shop'],
        ['/w/one', 'w / one'],
        ['/w/one/', 'w / one'],
        ['/a/x/shop', 'a / x / shop'],
        ['/b/x/shop', 'b / x / shop'],
      ],
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

  it('says agent, branch, requests, size and fill', async () => {
    const { title, agent, branch, facts, tooltip } = await describeSession(
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
          branch: 'fix/cents',
          lastTime: now - 2 * hour,
          fill: { tokens: 100_000, window: 400_000 },
        },
      },
      new Gate(secretScanner),
    );
    assert.deepStrictEqual(
      [title, agent, branch, facts],
      ['Fix the rounding of totals', 'Codex', 'fix/cents', 'about 1,234 requests · 1.2 MB'],
    );
    assert.match(
      tooltip,
      /^Fix the rounding of totals\nCodex · gpt-5\.5\n\/work\/shop · fix\/cents\n.*100,000 tokens, 25 % of the window/,
    );
    assert.match(tooltip, /\/p\/x\.jsonl$/);
  });

  it('finds the branch where the session began', () => {
    assert.deepStrictEqual(
      [
        probeBranch('{"cwd":"/w","gitBranch":"main","type":"user"}'),
        probeBranch('{"payload":{"git":{"commit_hash":"1a","branch":"fix\\/cents"}}}'),
        probeBranch('{"text":"{\\"gitBranch\\":\\"no\\"}"}'),
        probeBranch('{"input":{"branch":"not of the session"}}'),
      ],
      ['main', 'fix/cents', undefined, undefined],
    );
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
      const { title } = await describeSession(file('/p/x.jsonl', now), result, new Gate(secretScanner));
      assert.match(title, /^-SERVICE_KEY= \+SERVICE_KEY=\[redacted: /);
      assert.ok(!title.includes(secret.slice(0, 12)), title);
    }
  });

  it('falls back to the name of a file that tells nothing', async () => {
    const packed = file('/d/opencode.db', now);
    assert.deepStrictEqual(await describeSession(packed, { kind: 'packed' }, new Gate(secretScanner)), {
      title: 'opencode.db',
      agent: 'Codex',
      facts: '1 B',
      lastUsed: now,
      tooltip: `opencode.db\nCodex\n1 B\n${new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' }).format(now)}\n/d/opencode.db`,
    });
  });

  it('lets hostile names neither break the line nor turn it round', () => {
    assert.equal(oneLine('a\u202Eb\u0000c\r\nd\u2066e'), 'abc de');
    assert.equal(oneLine('x'.repeat(500)).length, 120);
    assert.equal(oneLine(`${'x'.repeat(118)}😀😀`).at(-2), 'x');
  });

  it('says how long ago something was, in days of the calendar', () => {
    const noon = new Date(2026, 10, 22, 12).getTime();
    const days = (count: number): number => new Date(2026, 10, 22 - count, 12).getTime();
    const times = [
      noon + 5,
      noon - 59_000,
      noon - 60_000,
      noon - 59 * 60_000,
      noon - hour,
      noon - 11 * hour,
      noon - 13 * hour,
      days(1),
      days(2),
      days(13),
      days(14),
      days(60),
      days(100),
      days(729),
      days(800),
    ];
    assert.deepStrictEqual(
      times.map(time => describeAge(noon, time)),
      [
        'now',
        'now',
        '1 min',
        '59 min',
        '1 h',
        '11 h',
        'yesterday',
        'yesterday',
        '2 days',
        '13 days',
        '2 weeks',
        '8 weeks',
        '3 months',
        '23 months',
        '2 years',
      ],
    );
    // Two hours ago is two hours ago, on the day before too.
    const night = new Date(2026, 10, 22, 1).getTime();
    assert.equal(describeAge(night, night - 2 * hour), '2 h');
  });

  it('rounds sizes down to one unit', () => {
    assert.deepStrictEqual([999, 1500, 999_499, 12_340_000].map(formatBytes), [
      '999 B',
      '1.5 KB',
      '999 KB',
      '12.3 MB',
    ]);
  });
});
