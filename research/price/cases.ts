import type { PricedAgent } from '../../src/core/price/promptFiles';
import { ledgerScript } from '../whatIf/ledgerServer';

/** The files of a repository by path; null takes a file away. */
export type Edits = Readonly<Record<string, string | null>>;

const sentence = 'Amounts are whole cents, and a month is closed only after its sums agree with the bank. ';

const skill = (name: string, description: string, more = ''): string =>
  `---\nname: ${name}\ndescription: ${description}\n${more}---\n\n# ${name}\n\n${sentence.repeat(8)}\n`;

const server = { command: 'node', args: ['tools/ledger.cjs'] };

/** The repository before each change. */
export const baseFiles: Readonly<Record<string, string>> = {
  'README.md': '# Ledger\n',
  'ledger.txt': 'one 1.00\ntwo 2.00\n',
  'tools/ledger.cjs': ledgerScript,
  'CLAUDE.md': `# Ledger\n\n- ${sentence}\n- See @docs/style.md for names.\n`,
  'AGENTS.md': `# Ledger\n\n- ${sentence}\n- See docs/style.md for names.\n`,
  'docs/style.md': '# Style\n\nName accounts by their number.\n',
  '.claude/rules/money.md': '# Money\n\nNever use floating point numbers.\n',
  '.claude/skills/closing/SKILL.md': skill(
    'closing',
    'How a month is closed. Use it for questions on closing.',
  ),
  '.agents/skills/rounding/SKILL.md': skill('rounding', 'How amounts are rounded. Use it for rounding.'),
  '.claude/agents/checker.md':
    '---\nname: checker\ndescription: Checks the sums of a month.\n---\n\nCheck all sums.\n',
  '.claude/commands/sums.md': '---\ndescription: Prints the sums.\n---\n\nPrint the sums.\n',
  // Otherwise the servers of a repository wait for a person.
  '.claude/settings.json': JSON.stringify({ enableAllProjectMcpServers: true }),
};

const longer = `${sentence.repeat(12)}\n`;

/** A change to the repository. */
export interface PriceCase {
  readonly name: string;
  readonly edits: Edits;
  /** The agents that are run with it; without, all. */
  readonly agents?: readonly PricedAgent[];
}

const claude: readonly PricedAgent[] = ['Claude Code'];
const codex: readonly PricedAgent[] = ['Codex'];

const memory = baseFiles['CLAUDE.md'] ?? '';
const claudeSkill = (front: string, text = `# Audit\n\n${sentence}\n`): Edits => ({
  '.claude/skills/audit/SKILL.md': `---\n${front}---\n\n${text}`,
});
const codexSkill = (front: string, path = '.agents/skills/budget'): Edits => ({
  [`${path}/SKILL.md`]: `---\n${front}---\n\n# Budget\n`,
});

/** The rules by which Claude Code loads files. */
const claudeCases: readonly PriceCase[] = Object.entries({
  'comment in HTML added': { 'CLAUDE.md': `${memory}\n<!-- ${sentence}\n${sentence} -->\n` },
  'comments in a line, a list and code added': {
    'CLAUDE.md': `${memory}- one <!-- two -->\n  <!-- three -->\n\n\`\`\`\n<!-- four -->\n\`\`\`\n\ntext\n<!-- five --> six\n\n  <!-- seven -->\n\n<!-- never closed\n`,
  },
  'import in a comment added': {
    'CLAUDE.md': `${memory}\n<!-- @docs/more.md -->\n`,
    'docs/more.md': longer,
  },
  'import with a comma': { 'CLAUDE.md': `${memory}- See @docs/more.md, then go.\n`, 'docs/more.md': longer },
  'imports with other signs': {
    'CLAUDE.md': `${memory}- See (@docs/a.md) "@docs/a.md" @docs/a.md. @docs/a.md; \`x @docs/a.md\` me@docs/a.md\n\n    @docs/a.md\n`,
    'docs/a.md': longer,
  },
  'imports that end like a text': {
    'CLAUDE.md': `${memory}- **@docs/b.md** _see @docs/c.md_ @docs/d.md#part @docs/e\\ f.md [ @docs/g.md ](x)\n`,
    ...Object.fromEntries(
      ['b', 'c', 'd', 'e f', 'g'].map(name => [`docs/${name}.md`, `# ${name}\n\n${sentence}\n`]),
    ),
  },
  'import with a plus': { 'CLAUDE.md': `${memory}- See @docs/a+b.md\n`, 'docs/a+b.md': longer },
  'file imported twice': {
    'CLAUDE.md': `${memory}- See @docs/more.md and @docs/more.md\n`,
    '.claude/CLAUDE.md': 'See @../docs/more.md\n',
    'docs/more.md': longer,
  },
  'import in a rule': { '.claude/rules/dates.md': 'See @../../docs/more.md\n', 'docs/more.md': longer },
  'rule with paths that imports': {
    '.claude/rules/dates.md': '---\npaths: parts/**\n---\nSee @../../docs/more.md\n',
    'docs/more.md': longer,
  },
  'five levels of imports': {
    'CLAUDE.md': `${memory}- See @docs/1.md\n`,
    ...Object.fromEntries(
      [1, 2, 3, 4, 5].map(level => [`docs/${level}.md`, `${sentence}\n@${level + 1}.md\n`]),
    ),
  },
  'imports of other kinds of files': {
    'CLAUDE.md': `${memory}- @docs/a.json @docs/a.png @docs/a.mdx @Makefile @docs/absent.md @../outside.md\n`,
    'docs/a.json': '{"name":"ledger"}\n',
    'docs/a.png': sentence,
    'docs/a.mdx': sentence,
    Makefile: 'all:\n\techo\n',
  },
  'front matter in CLAUDE.md': {
    'CLAUDE.md': `---\nname: ledger\ntitle: Rules of the ledger\n---\n${memory}`,
  },
  'front matter in a rule': {
    '.claude/rules/money.md': `---\ndescription: Use when: money\n---\n${baseFiles['.claude/rules/money.md'] ?? ''}`,
  },
  'rule with paths of everything added': { '.claude/rules/dates.md': `---\npaths: ["**"]\n---\n${longer}` },
  'CLAUDE.local.md added': { 'CLAUDE.local.md': longer },
  'AGENTS.md where CLAUDE.md is removed': { 'CLAUDE.md': null },
  'AGENTS.md where CLAUDE.md is a comment': { 'CLAUDE.md': '<!-- nothing -->\n' },
  'both AGENTS.md where CLAUDE.md is removed': { 'CLAUDE.md': null, '.claude/AGENTS.md': longer },
  'skill with when_to_use added': claudeSkill(
    `name: audit\ndescription: ${sentence}\nwhen_to_use: Use it for audits.\n`,
  ),
  'skill with a description of 330 words added': claudeSkill(
    `name: audit\ndescription: ${'word '.repeat(330).trim()}\n`,
  ),
  'skill without description added': claudeSkill('name: audit\n'),
  'skill without front matter added': { '.claude/skills/audit/SKILL.md': longer },
  'skill with another name added': claudeSkill('name: yearly-audit\ndescription: Audits.\n'),
  'skill with paths added': claudeSkill('name: audit\ndescription: Audits.\npaths: parts/**\n'),
  'skill with a description in lines added': claudeSkill(
    'name: audit\ndescription: |\n  One line.\n\n  Another.\n',
  ),
  'skill with a colon and a star added': claudeSkill('name: audit\ndescription: *Use when: audits # now\n'),
  'skill with a comment in its front matter added': claudeSkill(
    'name: audit\ndescription: Audits # of a year\n',
  ),
  'skill with a list as description added': claudeSkill('name: audit\ndescription: [one, two]\n'),
  'command without description added': { '.claude/commands/close.md': `# Closes a month\n\n${longer}` },
  'empty command added': { '.claude/commands/close.md': '' },
  'command in a subfolder with when_to_use added': {
    '.claude/commands/month/close.md': `---\ndescription: Closes.\nwhen_to_use: At the end of a month.\n---\n${longer}`,
  },
  'command with the name of a skill added': { '.claude/commands/closing.md': longer },
  'subagent with denied tools added': {
    '.claude/agents/auditor.md': `---\nname: auditor\ndescription: Audits.\ntools: [Read, Bash, "Bash(git log, -1)"]\ndisallowedTools: Bash\n---\n${longer}`,
  },
  'subagent with all but some tools added': {
    '.claude/agents/auditor.md': `---\nname: auditor\ndescription: Audits.\ndisallowedTools: Bash, Write\n---\n${longer}`,
  },
  'subagent without description added': { '.claude/agents/auditor.md': `---\nname: auditor\n---\n${longer}` },
} satisfies Readonly<Record<string, Edits>>).map(([name, edits]) => ({ name, edits, agents: claude }));

/** The rules by which Codex loads files. */
const codexCases: readonly PriceCase[] = Object.entries({
  'AGENTS.override.md added': { 'AGENTS.override.md': 'Never round amounts.\n' },
  'empty AGENTS.override.md added': { 'AGENTS.override.md': '\n' },
  'memory file above 32 KiB': { 'AGENTS.md': sentence.repeat(600) },
  'memory file above 32 KiB of two-byte letters': { 'AGENTS.md': `x${'ü'.repeat(20_000)}` },
  'comment, import and front matter in AGENTS.md': {
    'AGENTS.md': `---\nname: x\n---\n<!-- comment -->\n@docs/style.md\n`,
  },
  'skill without implicit invocation added': {
    ...codexSkill('name: budget\ndescription: Budgets.\n'),
    '.agents/skills/budget/agents/openai.yaml': 'policy:\n  allow_implicit_invocation: false\n',
  },
  'implicit invocation of a skill turned off': {
    '.agents/skills/rounding/agents/openai.yaml': 'policy:\n  allow_implicit_invocation: false\n',
  },
  'skill with other settings added': {
    ...codexSkill('name: budget\ndescription: Budgets.\n'),
    '.agents/skills/budget/agents/openai.yaml':
      'interface:\n  display_name: Budgets\npolicy:\n  allow_implicit_invocation: true\n',
  },
  'skill without description added': codexSkill('name: budget\n'),
  'skill without name added': codexSkill('description: Makes   a budget.\n'),
  'skill with a description of 330 words added': codexSkill(
    `name: budget\ndescription: ${'word '.repeat(330).trim()}\n`,
  ),
  'skill with a colon added': codexSkill('name: budget\ndescription: Use when: budgets # now\n'),
  'skill with no YAML added': codexSkill('name: budget\ndescription: *star*\n'),
  'skill with a long name added': codexSkill(`name: ${'n'.repeat(65)}\ndescription: Budgets.\n`),
  'skill in deeper folders added': codexSkill(
    'name: budget\ndescription: Budgets.\n',
    '.agents/skills/a/b/budget',
  ),
  'skill in seven folders added': codexSkill(
    'name: budget\ndescription: Budgets.\n',
    '.agents/skills/a/b/c/d/e/f/g',
  ),
  'skill in .codex added': codexSkill('name: budget\ndescription: Budgets.\n', '.codex/skills/budget'),
} satisfies Readonly<Record<string, Edits>>).map(([name, edits]) => ({ name, edits, agents: codex }));

/** The rules by which opencode loads files. */
const opencodeCases: readonly PriceCase[] = Object.entries({
  'AGENTS.override.md added': { 'AGENTS.override.md': 'Never round amounts.\n' },
  'CONTEXT.md alone': { 'AGENTS.md': null, 'CLAUDE.md': null, 'CONTEXT.md': longer },
  'skill without name added': codexSkill('description: Makes a budget.\n'),
  'skill with a colon and spaces added': codexSkill('name: budget\ndescription: "Use  when: budgets "\n'),
  'skill in deeper folders added': codexSkill(
    'name: budget\ndescription: Budgets.\n',
    '.agents/skills/.a/b/c/d/e/f/g/h',
  ),
  'skill of .opencode in place of another added': codexSkill(
    'name: rounding\ndescription: Rounds.\n',
    '.opencode/skill/rounding',
  ),
} satisfies Readonly<Record<string, Edits>>).map(([name, edits]) => ({ name, edits, agents: ['opencode'] }));

/** The changes that are predicted and applied, each alone. */
export const priceCases: readonly PriceCase[] = [
  {
    name: 'memory file longer',
    edits: {
      'CLAUDE.md': `${baseFiles['CLAUDE.md'] ?? ''}- ${longer}`,
      'AGENTS.md': `${baseFiles['AGENTS.md'] ?? ''}- ${longer}`,
    },
  },
  { name: 'memory file removed', edits: { 'CLAUDE.md': null, 'AGENTS.md': null } },
  { name: 'AGENTS.md removed', edits: { 'AGENTS.md': null } },
  { name: 'imported file longer', edits: { 'docs/style.md': `# Style\n\n${longer}` } },
  {
    name: 'memory file in a subfolder',
    edits: { 'parts/CLAUDE.md': longer, 'parts/AGENTS.md': longer },
  },
  { name: 'rule added', edits: { '.claude/rules/dates.md': `# Dates\n\n${longer}` } },
  {
    name: 'rule with paths added',
    edits: { '.claude/rules/parts.md': `---\npaths: "parts/**"\n---\n\n${longer}` },
  },
  {
    name: 'skill added',
    edits: {
      '.claude/skills/audit/SKILL.md': skill('audit', `How an audit is prepared. ${sentence}`),
      '.agents/skills/budget/SKILL.md': skill('budget', `How a budget is made. ${sentence}`),
    },
  },
  {
    name: 'description of a skill longer',
    edits: {
      '.claude/skills/closing/SKILL.md': skill('closing', `How a month is closed. ${sentence}`),
      '.agents/skills/rounding/SKILL.md': skill('rounding', `How amounts are rounded. ${sentence}`),
    },
  },
  {
    name: 'text of a skill longer',
    edits: {
      '.claude/skills/closing/SKILL.md': `${baseFiles['.claude/skills/closing/SKILL.md'] ?? ''}${longer}`,
      '.agents/skills/rounding/SKILL.md': `${baseFiles['.agents/skills/rounding/SKILL.md'] ?? ''}${longer}`,
    },
  },
  {
    name: 'all skills removed',
    edits: { '.claude/skills/closing/SKILL.md': null, '.agents/skills/rounding/SKILL.md': null },
  },
  {
    name: 'skill for people alone added',
    edits: {
      '.claude/skills/audit/SKILL.md': skill('audit', sentence, 'disable-model-invocation: true\n'),
      '.agents/skills/budget/SKILL.md': skill('budget', sentence, 'disable-model-invocation: true\n'),
    },
  },
  {
    name: 'skill with a long description added',
    edits: {
      '.claude/skills/audit/SKILL.md': skill('audit', sentence.repeat(16).trim()),
      '.agents/skills/budget/SKILL.md': skill('budget', sentence.repeat(16).trim()),
    },
  },
  {
    name: 'skill with a folded description added',
    edits: {
      '.claude/skills/audit/SKILL.md': skill('audit', `>-\n  How an audit is prepared.\n  ${sentence}`),
      '.agents/skills/budget/SKILL.md': skill('budget', `>-\n  How a budget is made.\n  ${sentence}`),
    },
  },
  {
    name: 'skill with signs in its description added',
    edits: {
      '.claude/skills/audit/SKILL.md': skill(
        'audit',
        'Sums of <month> & "net" amounts > 0 in the bank\'s list.',
      ),
      '.agents/skills/budget/SKILL.md': skill(
        'budget',
        'Sums of <month> & "net" amounts > 0 in the bank\'s list.',
      ),
    },
  },
  {
    name: 'subagent added',
    edits: {
      '.claude/agents/auditor.md': `---\nname: auditor\ndescription: ${sentence.trim()}\n---\n\n${longer}`,
    },
  },
  {
    name: 'subagent with some tools added',
    edits: {
      '.claude/agents/auditor.md': `---\nname: auditor\ndescription: ${sentence.trim()}\ntools: Read, Grep\n---\n\n${longer}`,
    },
  },
  {
    name: 'command added',
    edits: { '.claude/commands/close.md': `---\ndescription: ${sentence.trim()}\n---\n\n${longer}` },
  },
  {
    name: 'MCP server added',
    edits: {
      '.mcp.json': JSON.stringify({ mcpServers: { ledger: server } }),
      '.codex/config.toml': `[mcp_servers.ledger]\ncommand = "node"\nargs = ["tools/ledger.cjs"]\n`,
      'opencode.json': JSON.stringify({
        mcp: { ledger: { type: 'local', command: ['node', 'tools/ledger.cjs'], enabled: true } },
      }),
    },
  },
  {
    name: 'tools denied in settings',
    edits: {
      '.claude/settings.json': JSON.stringify({
        enableAllProjectMcpServers: true,
        permissions: { deny: ['WebFetch', 'WebSearch'] },
      }),
      'opencode.json': JSON.stringify({ tools: { webfetch: false } }),
    },
  },
  ...claudeCases,
  ...codexCases,
  ...opencodeCases,
];
