import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { getEncoding } from 'js-tiktoken';
import { arrayAt, isArray, isObject, parseJson, stringAt } from '../../../src/core/base/json';
import { priceChange, type RepositoryFiles } from '../../../src/core/price/priceChange';
import type { PricedAgent } from '../../../src/core/price/promptFiles';
import { lookUpModel } from '../../../src/core/tokens/modelTable';
import { readUnpacked, shared, skipWithout } from '../../fixtures/sharedFiles';

const runs = 'agent-runs-3';
const record = 'codex/0.171.0/rich-gpt-5.5/raw-requests.jsonl.gz';
const counter = getEncoding('o200k_base');
const tokens = (text: string): number => counter.encode(text, [], []).length;

/** The texts with a beginning that an agent sent, in their order. */
function sentTexts(path: string, beginning: string): readonly string[] {
  const lines = Buffer.from(readUnpacked(join(shared, runs, path)))
    .toString('utf8')
    .split('\n');
  const texts = lines.flatMap(line => {
    const found: string[] = [];
    const visit = (value: unknown): void => {
      const text = stringAt(value, 'text');
      if (text?.startsWith(beginning) === true) {
        found.push(text);
      }
      if (isArray(value) || isObject(value)) {
        Object.values(value).forEach(visit);
      }
    };
    visit(parseJson(line));
    return found;
  });
  return [...new Set(texts)];
}

describe('the price of an edited memory file', { skip: skipWithout(runs) }, () => {
  it('is the difference of the texts that Codex really sent, to the token', async () => {
    const sent = sentTexts(record, '# AGENTS.md instructions for ');
    const form = /^# AGENTS\.md instructions for (\S+)\n\n<INSTRUCTIONS>\n(.*)\n<\/INSTRUCTIONS>/s;
    const [before, after] = sent.map(text => form.exec(text) ?? assert.fail(text.slice(0, 80)));
    assert.ok(before !== undefined && after !== undefined, 'the file was edited in this run');
    const [, root = ''] = before;
    const price = await codexPrice(
      new Map([['AGENTS.md', before[2] ?? '']]),
      new Map([['AGENTS.md', after[2] ?? '']]),
      root,
    );
    const [first = '', second = ''] = sent;
    const changed = tokens(second) - tokens(first);
    assert.ok(changed > 0);
    assert.deepEqual([price?.tokens, price?.quality], [changed, 'exact']);
    assert.deepEqual(arrayAt(price, 'files').length, 1);
  });

  it('is the row of a skill and of its root that Codex really sent, to the token', async () => {
    const [sent = ''] = sentTexts(record, '<skills_instructions>');
    const [rootRow = '', root = ''] = /- `r1` = `(.*)\/\.agents\/skills`\n/.exec(sent) ?? [];
    const [row = '', name = '', description = ''] =
      /- (.+): (.+) \(file: r1\/.+\/SKILL\.md\)\n/.exec(sent) ?? [];
    assert.ok(rootRow !== '' && row !== '');
    const without = sent.replace(rootRow, '').replace(row, '');
    const file = `---\nname: ${name}\ndescription: ${description}\n---\n\nText.\n`;
    const skills = new Map([[`.agents/skills/${name}/SKILL.md`, file]]);
    const price = await codexPrice(new Map(), skills, root);
    assert.deepEqual([price?.tokens, price?.quality], [tokens(sent) - tokens(without), 'exact']);
  });
});

describe('the price of a skill in Codex', () => {
  const root = '/home/user/library';
  const skill = (name: string, description: string): readonly [string, string] => [
    `.agents/skills/${name}/SKILL.md`,
    `---\nname: ${name}\ndescription: ${description}\n---\n\nText.\n`,
  ];
  const list = (roots: readonly string[], skills: readonly string[]): string =>
    ['### Skill roots', ...roots, '### Available skills', ...skills, '### Use', ''].join('\n');
  const roots = ['- `r0` = `/home/user/.codex/skills/.system`'];
  const rootRow = `- \`r1\` = \`${root}/.agents/skills\``;
  const system = '- pictures: Makes pictures. (file: r0/pictures/SKILL.md)';
  const shelves = '- shelves: Sorts shelves. (file: r1/shelves/SKILL.md)';
  const labels = '- labels: Prints labels. (file: r1/labels/SKILL.md)';

  it('has the root of all skills once', async () => {
    const none = tokens(list(roots, [system]));
    const one = tokens(list([...roots, rootRow], [system, shelves]));
    const two = tokens(list([...roots, rootRow], [system, labels, shelves]));
    const before = new Map([skill('shelves', 'Sorts shelves.')]);
    const after = new Map([...before, skill('labels', 'Prints labels.')]);
    const first = await codexPrice(new Map(), before, root);
    assert.equal(first?.tokens, one - none);
    const both = await codexPrice(new Map(), after, root);
    assert.equal(both?.tokens, two - none);
    const second = await codexPrice(before, after, root);
    assert.deepEqual(
      second?.files.map(({ path, tokens }) => [path, tokens]),
      [['.agents/skills/labels/SKILL.md', two - one]],
    );
    assert.equal((await codexPrice(before, new Map(), root))?.tokens, none - one);
  });

  it('has no more of a description than Codex lists', async () => {
    const long = 'Sorts shelves by height. '.repeat(60).trim();
    const one = tokens(list(roots, [system]));
    const row = `- shelves: ${long.slice(0, 1021)}... (file: r1/shelves/SKILL.md)`;
    const two = tokens(list([...roots, rootRow], [system, row]));
    const price = await codexPrice(new Map(), new Map([skill('shelves', long)]), root);
    assert.equal(price?.tokens, two - one);
  });

  it('has the signs of tags as each agent writes them', async () => {
    const [path, file] = skill('shelves', 'Sums <of> "all" & > 1.');
    const skills = new Map([[path.replace('.agents', '.claude'), file]]);
    const sent = {
      'Claude Code': '- shelves: Sums &lt;of&gt; "all" & &gt; 1.\n',
      Codex: '- shelves: Sums <of> "all" & > 1. (file: r1/shelves/SKILL.md)\n',
      opencode: [
        '  <skill>',
        '    <name>shelves</name>',
        '    <description>Sums <of> "all" & > 1.</description>',
        `    <location>${root}/.agents/skills/shelves/SKILL.md</location>`,
        '  </skill>',
        '',
      ].join('\n'),
    };
    const claude = await priceOf('Claude Code', new Map(), skills, root);
    assert.equal(claude?.tokens, tokens(sent['Claude Code']));
    const codex = await codexPrice(new Map(), new Map([[path, file]]), root);
    assert.equal(codex?.tokens, tokens(`${rootRow}\n`) + tokens(sent.Codex));
    const opencode = await priceOf('opencode', new Map(), new Map([[path, file]]), root);
    assert.equal(opencode?.tokens, tokens(sent.opencode));
  });

  it('is exact only in a form that was compared with requests', async () => {
    const tools = JSON.stringify([{ name: 'find', description: 'Finds.', input_schema: {} }]);
    const price = await codexPrice(new Map(), new Map([['tools.json', tools]]), root);
    assert.deepEqual([price?.quality, price?.error], ['about', 0.05]);
  });
});

const codexPrice = (before: RepositoryFiles, after: RepositoryFiles, root: string) =>
  priceOf('Codex', before, after, root);

async function priceOf(agent: PricedAgent, before: RepositoryFiles, after: RepositoryFiles, root: string) {
  const use = {
    agent,
    model: 'gpt-5.5',
    requests: 1,
    tokenPrice: undefined,
    isAssumed: true,
  } as const;
  const { agents } = await priceChange(before, after, { root, uses: [use], rowOf: lookUpModel }, text =>
    Promise.resolve(tokens(text)),
  );
  return agents[0];
}
