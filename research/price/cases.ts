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
}

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
];
