import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { getEncoding } from 'js-tiktoken';
import { type AgentPrice, priceChange, type RepositoryFiles } from '../../../src/core/price/priceChange';
import type { PricedAgent } from '../../../src/core/price/promptFiles';
import { lookUpModel } from '../../../src/core/tokens/modelTable';

// The texts that are expected here were written by hand after requests of Claude Code 2.1.332, Codex 0.171.0 and
// opencode 1.18.33 that a server on the same machine received.

type Files = Readonly<Record<string, string>>;

const root = '/home/user/library';
const counter = getEncoding('o200k_base');
const tokens = (text: string): number => counter.encode(text, [], []).length;

async function priced(
  agent: PricedAgent,
  before: Files,
  after: Files,
  version?: string,
): Promise<AgentPrice> {
  const use = {
    agent,
    model: 'gpt-5.5',
    requests: 1,
    tokenPrice: undefined,
    isAssumed: true,
    ...(version === undefined ? {} : { version }),
  } as const;
  const [one, other]: readonly RepositoryFiles[] = [before, after].map(
    files => new Map(Object.entries(files)),
  );
  const { agents } = await priceChange(
    one ?? new Map(),
    other ?? new Map(),
    { root, uses: [use], rowOf: lookUpModel },
    text => Promise.resolve(tokens(text)),
  );
  return agents[0] ?? assert.fail('no agent');
}

const words = 'project instructions, checked into the codebase';
/** A memory file as Claude Code sends it. */
const sent = (path: string, text: string, kind = words): string =>
  `Contents of ${root}/${path} (${kind}):\n\n${text}\n\n`;

/** The change is as many tokens as these texts have more than those, exactly. */
async function adds(
  agent: PricedAgent,
  [before, after]: readonly [Files, Files],
  [less, more]: readonly [string, string],
): Promise<void> {
  const price = await priced(agent, before, after);
  assert.deepEqual([price.tokens, price.quality], [tokens(more) - tokens(less), 'exact']);
}

const rule: Files = { '.claude/rules/names.md': 'Name the units.\n' };
const long = 'Shelves are numbered from the door. '.repeat(20).trim();

describe('what Claude Code loads of memory files', () => {
  /** CLAUDE.md, in place of one with a short text, and other files that are there before and after. */
  const memory = (text: string, expected: string, others: Files = {}): Promise<void> =>
    adds(
      'Claude Code',
      [
        { ...others, 'CLAUDE.md': 'Short.' },
        { ...others, 'CLAUDE.md': text },
      ],
      [sent('CLAUDE.md', 'Short.'), expected],
    );
  const docs: Files = { 'docs/a.md': long, 'docs/a+b.md': 'Plus.', 'docs/c.md': 'See @a.md' };

  it('leaves out comments that are blocks of their own', async () => {
    await memory(`One.\n\n<!-- ${long}\n\n${long} -->\n\nTwo.`, sent('CLAUDE.md', 'One.\n\nTwo.'));
    await memory('One.\n<!-- two --> three\nfour', sent('CLAUDE.md', 'One.\n three\nfour'));
    for (const kept of ['One <!-- two -->', '- one\n  <!-- two -->', '```\n<!-- two -->\n```', '<!-- two']) {
      await memory(kept, sent('CLAUDE.md', kept));
    }
  });

  it('follows imports in texts, whatever is around them, and not in comments or code', async () => {
    const a = sent('docs/a.md', long);
    for (const text of [
      '@docs/a.md',
      '- x @docs/a.md#part',
      '**@docs/a.md** x',
      `@${root}/docs/a.md`,
      '@./docs/a.md',
    ]) {
      await memory(text, sent('CLAUDE.md', text) + a, docs);
    }
    await memory('@docs/a+b.md', sent('CLAUDE.md', '@docs/a+b.md') + sent('docs/a+b.md', 'Plus.'), docs);
    for (const text of [
      '@docs/a.md, x',
      '@docs/a.md.',
      '(@docs/a.md)',
      'x@docs/a.md',
      '`x @docs/a.md`',
      'x <!-- @docs/a.md -->',
      'x\n\n    @docs/a.md',
      '@../docs/a.md',
    ]) {
      await memory(text, sent('CLAUDE.md', text), docs);
    }
    await memory('x\n\n<!-- @docs/a.md -->', sent('CLAUDE.md', 'x'), docs);
  });

  it('loads a file once, and no more than four levels of imports', async () => {
    const both = '@docs/a.md @docs/c.md @docs/a.md';
    await memory(both, sent('CLAUDE.md', both) + sent('docs/a.md', long) + sent('docs/c.md', 'See @a.md'), {
      ...docs,
      '.claude/CLAUDE.md': 'Inner.',
    });
    const levels: Files = {
      '1.md': '@2.md',
      '2.md': '@3.md',
      '3.md': '@4.md',
      '4.md': '@5.md',
      '5.md': long,
    };
    const four = ['1', '2', '3', '4'].map(level => sent(`${level}.md`, `@${Number(level) + 1}.md`));
    await memory('@1.md', sent('CLAUDE.md', '@1.md') + four.join(''), levels);
  });

  it('imports texts of any name, and no pictures', async () => {
    const text = '@Makefile @a.json @a.png @a.mdx';
    await memory(text, sent('CLAUDE.md', text) + sent('Makefile', 'all:') + sent('a.json', '{}'), {
      Makefile: 'all:',
      'a.json': '{}',
      'a.png': long,
      'a.mdx': long,
    });
  });

  it('leaves out front matter', async () => {
    await memory('---\nname: x\npaths: src/**\n---\n\nOne.', sent('CLAUDE.md', 'One.'));
    await memory('---\ndescription: Use when: x\n---\nOne.', sent('CLAUDE.md', 'One.'));
    await memory('---\nname: x\nOne.', sent('CLAUDE.md', '---\nname: x\nOne.'));
  });

  it('reads rules alike, with the imports of one that waits for a file', async () => {
    const base = { 'CLAUDE.md': 'Short.', ...docs };
    const path = '.claude/rules/dates.md';
    const added = (text: string, expected: string): Promise<void> =>
      adds('Claude Code', [base, { ...base, [path]: text }], ['', expected]);
    const text = 'See @../../docs/a.md';
    await added(text, sent(path, text) + sent('docs/a.md', long));
    await added(`---\npaths: src/**\n---\n${text}`, sent('docs/a.md', long));
    await added('---\nname: x\n---\nDates.\n\n<!-- x -->\n', sent(path, 'Dates.'));
    for (const paths of ['"**"', '["**"]', '', '[]']) {
      await added(`---\npaths: ${paths}\n---\nDates.`, sent(path, 'Dates.'));
    }
  });

  it('loads AGENTS.md where no CLAUDE.md has a text', async () => {
    const agents = { ...rule, 'AGENTS.md': 'Agents.', '.claude/AGENTS.md': 'Inner.' };
    const standIn = sent('AGENTS.md', 'Agents.') + sent('.claude/AGENTS.md', 'Inner.');
    for (const empty of [{}, { 'CLAUDE.md': '<!-- x -->' }, { 'CLAUDE.md': '---\nname: x\n---\n' }]) {
      await adds(
        'Claude Code',
        [
          { ...agents, 'CLAUDE.md': 'One.' },
          { ...agents, ...empty },
        ],
        [sent('CLAUDE.md', 'One.'), standIn],
      );
    }
    const local = sent('CLAUDE.local.md', 'Mine.', "user's private project instructions, not checked in");
    await adds('Claude Code', [agents, { ...agents, 'CLAUDE.local.md': 'Mine.' }], [standIn, local]);
  });
});

describe('what Claude Code lists', () => {
  const base: Files = { 'CLAUDE.md': 'One.' };
  const added = (path: string, text: string, expected: string): Promise<void> =>
    adds('Claude Code', [base, { ...base, [path]: text }], ['', expected]);
  const skill = (front: string, expected: string): Promise<void> =>
    added('.claude/skills/sorts/SKILL.md', `---\n${front}\n---\n\n# Sorts all shelves\n\nText.\n`, expected);

  it('has the time of use after the description, and cuts both at 1,536 characters', async () => {
    await skill('description: Sorts.\nwhen_to_use: When asked.', '- sorts: Sorts. - When asked.\n');
    const description = 'word '.repeat(330).trim();
    await skill(`description: ${description}`, `- sorts: ${description.slice(0, 1535)}…\n`);
    const both = `Sorts. - ${description}`;
    await skill(`description: Sorts.\nwhen_to_use: ${description}`, `- sorts: ${both.slice(0, 1535)}…\n`);
  });

  it('describes a skill or command without description by its first line', async () => {
    await skill('name: sorts', '- sorts: Sorts all shelves\n');
    await skill('description: [a, b]', '- sorts: Sorts all shelves\n');
    await added('.claude/skills/sorts/SKILL.md', '', '- sorts: Skill\n');
    await added('.claude/commands/lend/one.md', `\n${long}\n`, `- lend:one: ${long.slice(0, 97)}...\n`);
    await added('.claude/commands/lend.md', '', '- lend: Custom command\n');
  });

  it('reads front matter as YAML, and as text where it is none', async () => {
    await skill('description: |\n  One.\n\n  Two.', '- sorts: One. Two.\n');
    await skill('description: One # two', '- sorts: One\n');
    await skill("description: 'It''s'", "- sorts: It's\n");
    await skill('description: *Use when: one', '- sorts: *Use when: one\n');
    await skill('name: other\ndescription: One.', '- sorts (other): One.\n');
    await skill('name: with space\ndescription: One.', '- sorts: One.\n');
  });

  it('leaves out what only people call, and skills that wait for a file', async () => {
    for (const value of ['true', '"true"', 'yes']) {
      const price = await priced('Claude Code', base, {
        ...base,
        '.claude/skills/sorts/SKILL.md': `---\ndisable-model-invocation: ${value}\n---\nText.`,
      });
      assert.deepEqual(price.files, []);
    }
    const waits = { ...base, '.claude/skills/sorts/SKILL.md': '---\npaths: src/**\n---\nText.' };
    assert.deepEqual((await priced('Claude Code', base, waits)).files, []);
  });

  it('has the tools of subagents less those that are denied', async () => {
    const agent = (front: string, tools: string): Promise<void> =>
      added(
        '.claude/agents/a.md',
        `---\nname: a\ndescription: Sorts.\n${front}---\nText.`,
        `- a: Sorts. (Tools: ${tools})\n`,
      );
    await agent('', 'All tools');
    await agent('tools: "*"\n', 'All tools');
    await agent('tools: [Read, Bash]\ndisallowedTools: Bash\n', 'Read');
    await agent('tools: Bash\ndisallowedTools: Bash\n', 'None');
    await agent('disallowedTools: Bash, Write\n', 'All tools except Bash, Write');
  });
});

describe('what Codex loads', () => {
  const instructions = (text: string): string =>
    `# AGENTS.md instructions for ${root}\n\n<INSTRUCTIONS>\n${text}\n</INSTRUCTIONS>`;
  const base: Files = { 'AGENTS.md': long };

  it('is AGENTS.override.md in place of AGENTS.md', async () => {
    await adds(
      'Codex',
      [base, { ...base, 'AGENTS.override.md': 'Over.' }],
      [instructions(long), instructions('Over.')],
    );
  });

  it('is no more than 32 KiB', async () => {
    // 40 characters, 32,768 bytes: 819 times and the first 8 characters.
    const line = 'Shelves are numbered from door to door. ';
    assert.equal(line.length, 40);
    await adds(
      'Codex',
      [base, { 'AGENTS.md': line.repeat(1000) }],
      [instructions(long), instructions(`${line.repeat(819)}${line.slice(0, 8)}`)],
    );
  });

  it('is no skill that only people call, that has no description or a long name', async () => {
    const shelves = { ...base, '.agents/skills/shelves/SKILL.md': '---\ndescription: Sorts.\n---\n' };
    const settings = '.agents/skills/labels/agents/openai.yaml';
    const skill = (front: string): Files => ({
      ...shelves,
      '.agents/skills/labels/SKILL.md': `---\n${front}\n---\n`,
    });
    const row = '- labels: Prints. (file: r1/labels/SKILL.md)\n';
    const labels = skill('description: Prints.');
    await adds('Codex', [shelves, labels], ['', row]);
    await adds(
      'Codex',
      [shelves, skill('description: Use when: x # y')],
      ['', '- labels: Use when: x (file: r1/labels/SKILL.md)\n'],
    );
    const off = { ...labels, [settings]: 'policy:\n  allow_implicit_invocation: false\n' };
    await adds('Codex', [labels, off], [row, '']);
    await adds('Codex', [shelves, { ...labels, [settings]: 'policy: {}\n' }], ['', row]);
    for (const front of ['name: labels', `name: ${'n'.repeat(65)}\ndescription: x`, 'description: *star*']) {
      assert.deepEqual((await priced('Codex', shelves, skill(front))).files, []);
    }
  });

  it('is a skill in deeper folders and in .codex', async () => {
    const skill = '---\nname: shelves\ndescription: Sorts.\n---\n';
    const row = (folder: string, path: string): string =>
      `- \`r1\` = \`${root}/${folder}\`\n- shelves: Sorts. (file: r1/${path}/SKILL.md)\n`;
    for (const [folder, path] of [
      ['.agents/skills', 'a/b/shelves'],
      ['.codex/skills', 'shelves'],
    ] as const) {
      await adds(
        'Codex',
        [base, { ...base, [`${folder}/${path}/SKILL.md`]: skill }],
        ['', row(folder, path)],
      );
    }
    const deep = { ...base, '.agents/skills/a/b/c/d/e/f/g/SKILL.md': skill };
    assert.deepEqual((await priced('Codex', base, deep)).files, []);
  });
});

describe('what opencode loads', () => {
  const instructions = (path: string, text: string): string =>
    `Instructions from: ${root}/${path}\n${text}\n`;

  it('is one of AGENTS.md, CLAUDE.md and CONTEXT.md', async () => {
    const all: Files = { 'AGENTS.md': 'Agents.', 'CLAUDE.md': 'Claude.', 'CONTEXT.md': 'Context.' };
    const { 'AGENTS.md': _, ...rest } = all;
    const [agents, claude] = [instructions('AGENTS.md', 'Agents.'), instructions('CLAUDE.md', 'Claude.')];
    await adds('opencode', [all, rest], [agents, claude]);
    await adds(
      'opencode',
      [rest, { 'CONTEXT.md': 'Context.' }],
      [claude, instructions('CONTEXT.md', 'Context.')],
    );
    assert.deepEqual((await priced('opencode', all, { ...all, 'AGENTS.override.md': 'Over.' })).files, []);
  });
});

describe('the quality of a price', () => {
  const base: Files = { 'CLAUDE.md': 'One.', 'AGENTS.md': 'One.' };
  const quality = async (
    agent: PricedAgent,
    change: Files,
    before = base,
    version?: string,
  ): Promise<string> => (await priced(agent, before, { ...before, ...change }, version)).quality;

  it('is about where the form was not compared', async () => {
    const agent = (front: string): Files => ({ '.claude/agents/a.md': `---\n${front}description: x\n---\n` });
    assert.equal(await quality('Claude Code', agent('name: a\n')), 'exact');
    assert.equal(await quality('Claude Code', agent('name: a\nmemory: project\n')), 'about');
    assert.equal(await quality('Claude Code', agent('name: Explore\n')), 'about');
    assert.equal(await quality('Claude Code', { 'CLAUDE.md': '@a.zzz', 'a.zzz': 'One.' }), 'about');
    const many = Object.fromEntries(
      [1, 2, 3, 4].map(place => [`.claude/skills/s${place}/SKILL.md`, `---\ndescription: ${long}\n---\n`]),
    );
    assert.equal(await quality('Claude Code', many), 'about');
  });

  it('is about where the settings of the repository change what is loaded', async () => {
    const excluded = { ...base, '.claude/settings.json': '{"claudeMdExcludes":["docs/**"]}' };
    assert.equal(await quality('Claude Code', { 'CLAUDE.md': 'Two.' }, excluded), 'about');
    const other = { ...base, '.codex/config.toml': 'project_doc_max_bytes = 100\n' };
    assert.equal(await quality('Codex', { 'AGENTS.md': 'Two.' }, other), 'about');
  });

  it('is about for the first instructions, whose words around may be there for those of the user', async () => {
    assert.equal(await quality('Claude Code', { 'CLAUDE.md': 'Two.' }, {}), 'about');
    assert.equal(await quality('Codex', { 'AGENTS.md': 'Two.' }, {}), 'about');
  });

  it('is about for a version that was not compared', async () => {
    assert.equal(await quality('Codex', { 'AGENTS.md': 'Two.' }, base, '0.171.0'), 'exact');
    assert.equal(await quality('Codex', { 'AGENTS.md': 'Two.' }, base, '0.172.0'), 'about');
  });
});
