import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import Ajv from 'ajv';
import { getEncoding } from 'js-tiktoken';
import {
  arrayAt,
  isObject,
  member,
  numberAt,
  objectAt,
  parseJson,
  stringAt,
} from '../../../src/core/base/json';
import { commitOf, GitError } from '../../../src/node/git/repository';
import { CommandLine } from '../../fixtures/commandLine';
import { jsonLines } from '../../fixtures/jsonLines';

const cli = new CommandLine();
const repo = join(cli.folder, 'repo');
const counter = getEncoding('o200k_base');
const tokens = (text: string): number => counter.encode(text, [], []).length;

const git = (...words: readonly string[]): string =>
  execFileSync('git', ['-C', repo, '-c', 'user.name=a', '-c', 'user.email=a@b', ...words], {
    encoding: 'utf8',
  });

function write(files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(repo, path)), { recursive: true });
    writeFileSync(join(repo, path), text);
  }
}

const rules = '# Rules\n\n- Use whole cents.\n- Run the tests first.\n';
const more = `${rules}- Keep the names of public functions.\n- Ask before you add a package.\n`;
const skill = (description: string, body: string): string =>
  `---\nname: shelves\ndescription: ${description}\n---\n\n${body}\n`;

const run = (...words: readonly string[]) => cli.run('price', '--no-sessions', ...words);

async function agents(...words: readonly string[]) {
  const { stdout } = await run('--json', ...words);
  return arrayAt(parseJson(stdout), 'agents').map(agent => ({
    name: stringAt(agent, 'agent'),
    tokens: numberAt(agent, 'tokens'),
    quality: stringAt(agent, 'quality'),
    kept: stringAt(agent, 'kept'),
    money: numberAt(agent, 'moneyPerWeek'),
    files: arrayAt(agent, 'files').map(file => [stringAt(file, 'path'), numberAt(file, 'tokens')]),
  }));
}

describe('the price of a change', () => {
  before(() => {
    mkdirSync(repo);
    git('init', '-q', '-b', 'main');
    write({
      'AGENTS.md': rules,
      'CLAUDE.md': 'See @AGENTS.md and `@not/imported.md`.\n',
      '.claude/skills/shelves/SKILL.md': skill('Sorts shelves.', 'Long.'),
      'src/code.ts': 'a\n',
    });
    git('add', '-A');
    git('commit', '-qm', 'one');
    cli.workIn(repo);
  });
  after(() => cli.remove());

  it('says nothing where no file of an agent changed', async () => {
    write({ 'src/code.ts': 'b\n' });
    assert.equal((await run()).stdout, 'No file that agents read has changed.\n');
  });

  it('says so where no request carries what changed', async () => {
    write({ '.claude/rules/types.md': '---\npaths: "src/**"\n---\nName the units.\n' });
    const sentence = 'Files that agents read have changed, but nothing that every request of';
    const all = `${sentence} Claude Code, Codex, opencode carries.\n`;
    assert.equal((await run()).stdout, all);
    assert.equal((await run('--format', 'markdown')).stdout, `<!-- context-inspector price -->\n${all}`);
    assert.equal((await run('--agent', 'Codex')).stdout, `${sentence} Codex carries.\n`);
    rmSync(join(repo, '.claude/rules'), { recursive: true });
  });

  it('counts what each request gets more, exactly for the models of OpenAI', async () => {
    write({ 'AGENTS.md': more });
    const added = tokens(`\n${more}`) - tokens(`\n${rules}`);
    const [claude, codex, opencode] = await agents();
    // Claude Code reads it because CLAUDE.md imports it.
    assert.deepEqual(
      [claude?.name, claude?.quality, claude?.kept],
      ['Claude Code', 'estimated', 'toolsAndSystem'],
    );
    assert.equal(claude?.tokens, Math.round(added * 1.18));
    assert.deepEqual(codex, {
      name: 'Codex',
      tokens: added,
      quality: 'exact',
      kept: 'toolsAndSystem',
      money: codex?.money,
      files: [['AGENTS.md', added]],
    });
    assert.equal(opencode?.kept, 'tools');
    const { code, stdout } = await run('--agent', 'Codex', '--max-tokens', String(added - 1));
    assert.equal(code, 1);
    assert.match(
      stdout,
      new RegExp(
        `^Codex: \\+${added} tokens per request \\(exact for gpt-5\\.5\\); .* assuming 500 requests a week`,
      ),
    );
    assert.equal((await run('--max-tokens', '100000')).code, 0);
  });

  it('prices a week at the price of the model, or with given requests', async () => {
    const [one] = await agents('--agent', 'Codex', '--requests', '100');
    const [ten] = await agents('--agent', 'Codex', '--requests', '1000');
    assert.ok(one?.money !== undefined && ten?.money !== undefined && one.money > 0);
    assert.ok(Math.abs(ten.money / one.money - 10) < 1e-9);
  });

  it('counts the tools of a server that a session of the repository recorded', async () => {
    const home = join(cli.folder, 'home');
    const place = { HOME: home, USERPROFILE: home, XDG_CACHE_HOME: home, LOCALAPPDATA: home };
    const tool = (name: string) => ({
      name,
      description: `Finds ${name}.`,
      input_schema: { type: 'object', properties: { shelf: { type: 'string' } } },
    });
    const shape = {
      system: [{ type: 'text', text: 'You are Claude.' }],
      tools: [tool('Read'), tool('mcp__library__find'), tool('mcp__library__lend')],
    };
    const folder = join(home, '.claude', 'projects', '-repo');
    const id = '5f0c1d1e-8a44-4c1b-9a5e-0d4f7c2b1a90';
    const common = { sessionId: id, cwd: repo, version: '2.1.332', timestamp: '2026-01-05T10:00:00Z' };
    const message = { role: 'user', content: [{ type: 'text', text: 'Sort.' }] };
    mkdirSync(folder, { recursive: true });
    writeFileSync(
      join(folder, `${id}.jsonl`),
      jsonLines([
        { ...common, type: 'user', uuid: 'u1', parentUuid: null, message },
        { type: 'api-request-shape', shapeHash: 'S', shape },
        { type: 'api-request-blob', hash: 'B', message },
        { type: 'api-request', id: 'r1', shapeHash: 'S', params: {}, keep: 0, tail: ['B'] },
        {
          ...common,
          type: 'assistant',
          uuid: 'u2',
          parentUuid: 'u1',
          requestRef: 'r1',
          message: {
            id: 'msg_1',
            role: 'assistant',
            model: 'claude-sonnet-4-5',
            content: [{ type: 'text', text: 'Sorted.' }],
            usage: { input_tokens: 500, output_tokens: 5 },
          },
        },
      ]),
    );
    const priced = async (servers: Readonly<Record<string, object>>) => {
      write({ '.mcp.json': JSON.stringify({ mcpServers: servers }) });
      const { stdout } = await cli.runWith(place, 'price', '--model', 'gpt-5.5', '--json');
      const [claude] = arrayAt(parseJson(stdout), 'agents');
      const [file] = arrayAt(claude, 'files').filter(each => stringAt(each, 'path') === '.mcp.json');
      return [numberAt(file, 'tokens'), member(file, 'isPartly'), stringAt(claude, 'quality')];
    };
    const expected = shape.tools.slice(1).reduce((sum, each) => sum + tokens(JSON.stringify(each)), 0);
    assert.deepEqual(await priced({ library: { command: 'library' } }), [expected, false, 'about']);
    assert.deepEqual(await priced({ attic: { command: 'attic' } }), [0, true, 'about']);
    assert.deepEqual(await priced({ library: { command: 'library' }, attic: { command: 'attic' } }), [
      expected,
      true,
      'about',
    ]);
    const { stdout } = await cli.runWith(place, 'price', '--model', 'gpt-5.5');
    assert.match(
      stdout,
      /\.mcp\.json: .* The tools of its servers are as a session recorded them\. The tools of another server are not known\./,
    );
    rmSync(join(repo, '.mcp.json'));
  });

  it('reads a skill only for its description, and names what a file does not say', async () => {
    write({ '.claude/skills/shelves/SKILL.md': skill('Sorts shelves.', 'Much longer. '.repeat(50)) });
    assert.deepEqual(
      (await agents('--agent', 'Claude Code')).flatMap(({ files }) => files.map(([path]) => path)),
      ['CLAUDE.md'],
    );
    write({
      '.claude/skills/shelves/SKILL.md': skill('Sorts shelves by height and colour.', 'Long.'),
      '.mcp.json': '{"mcpServers":{"library":{"command":"library"}}}',
      'api/tools.json': JSON.stringify([
        { name: 'find', description: 'Finds.', input_schema: { type: 'object' } },
      ]),
    });
    const [claude] = await agents('--agent', 'Claude Code');
    assert.equal(claude?.kept, 'nothing');
    const skills = claude.files.find(([path]) => path === '.claude/skills/shelves/SKILL.md');
    assert.ok(Number(skills?.[1]) > 0 && Number(skills?.[1]) < 12, JSON.stringify(skills));
    assert.ok(claude.files.some(([path, count]) => path === 'api/tools.json' && Number(count) > 10));
    const text = (await run()).stdout;
    assert.match(text, /\.mcp\.json: The tools of its servers are in no recorded session of this repository/);
    assert.match(text, /^Claude Code: .* Changes of servers and settings are not counted\./m);
    write({ '.codex/config.toml': 'model = "gpt-5.5"\n', 'AGENTS.md': rules, 'api/tools.json': '[]' });
    assert.match((await run()).stdout, /^Codex: what each request gets more cannot be told\. The frozen/m);
    rmSync(join(repo, '.codex'), { recursive: true });
    write({ 'AGENTS.md': more });
  });

  it('compares two commits, and says what a removal saves', async () => {
    git('add', '-A');
    git('commit', '-qm', 'two');
    const [codex] = await agents('--agent', 'Codex', '--base', 'HEAD', '--head', 'HEAD~1');
    assert.ok((codex?.tokens ?? 0) < 0 && (codex?.money ?? 0) < 0);
  });

  it('writes SARIF that its schema accepts', async () => {
    const schema = parseJson(readFileSync('test/fixtures/sarif/sarif-schema-2.1.0.json', 'utf8'));
    assert.ok(isObject(schema));
    // Draft 4 calls the identifier `id`; nothing else of it differs for this schema.
    const { $schema: _, id: __, ...rest } = schema;
    const validate = new Ajv({ strict: false, validateFormats: false }).compile(rest);
    const { stdout } = await run('--base', 'HEAD~1', '--format', 'sarif');
    const sarif = parseJson(stdout);
    assert.ok(validate(sarif), JSON.stringify(validate.errors));
    assert.ok(!validate({ ...Object(sarif), version: '2.0.0' }));
    const results = arrayAt(arrayAt(sarif, 'runs')[0], 'results');
    assert.ok(results.length >= 5);
    const place = objectAt(arrayAt(results[0], 'locations')[0], 'physicalLocation');
    assert.match(stringAt(member(place, 'artifactLocation'), 'uri') ?? '', /^[\w./-]+$/);
  });

  it('annotates each file, and writes a comment in which names are code', async () => {
    write({ '.claude/rules/a|`b`.md': 'Rule.\n' });
    const github = (await run('--base', 'HEAD~1', '--format', 'github')).stdout.trimEnd().split('\n');
    assert.ok(
      github.every(line => /^::(?:warning|notice) file=[^:\s]+,line=1,title=[^:]+::\S/.test(line)),
      github.join('\n'),
    );
    assert.equal(new Set(github).size, github.length, 'no message is repeated');
    const { stdout } = await run('--format', 'markdown', '--agent', 'Claude Code');
    assert.match(stdout, /^<!-- context-inspector price -->\n### Price of this change\n/);
    assert.match(stdout, /\| `` \.claude\/rules\/a\\\|`b`\.md `` \| Claude Code \| \+\d+ tokens \|/);
    rmSync(join(repo, '.claude/rules'), { recursive: true });
  });

  it('refuses hostile names of commits, and reads nothing outside of the repository', async () => {
    for (const ref of [
      '--upload-pack=touch x',
      '-h',
      'a..b',
      'HEAD:AGENTS.md',
      'a b',
      'a\nb',
      '$(id)',
      'nothing',
    ]) {
      await assert.rejects(commitOf(repo, ref), GitError, ref);
      const { code, stderr } = await run(`--base=${ref}`);
      assert.equal(code, 2, ref);
      assert.match(stderr, /not the name of a commit/);
    }
    const secret = join(cli.folder, 'outside.md');
    writeFileSync(secret, 'outside '.repeat(100));
    mkdirSync(join(repo, '.claude/rules'), { recursive: true });
    symlinkSync(secret, join(repo, '.claude/rules/link.md'));
    write({ 'CLAUDE.md': 'See @AGENTS.md and `@not/imported.md`.\n@../../outside.md\n' });
    const [claude] = await agents('--agent', 'Claude Code');
    assert.ok((claude?.tokens ?? 0) < 20, JSON.stringify(claude));
  });

  it('follows links that lead to links, in a commit as in the folder', async () => {
    write({ 'docs/agents.md': 'Read the shelf marks first.\n' });
    for (const [link, target] of [
      ['AGENTS.md', 'docs/agents.md'],
      ['CLAUDE.md', 'AGENTS.md'],
    ] as const) {
      rmSync(join(repo, link), { force: true });
      symlinkSync(target, join(repo, link));
    }
    git('add', '-A');
    git('commit', '-qm', 'links');
    assert.match((await run()).stdout, /^No file that agents read has changed\.$/m);
    write({ 'docs/agents.md': 'Read the shelf marks first, then the labels of all the boxes.\n' });
    const [claude] = await agents('--agent', 'Claude Code');
    assert.ok((claude?.tokens ?? 0) > 0);
  });
});
