// Writes the plugins for Claude Code and Codex into plugins/, which is a marketplace of both agents: a folder with the
// server and the skill, one with the guard, and in each a manifest for each agent. The guard is a plugin of its own, so it
// is off until it is installed. Both start the installed program: a command that fetched it by its name would run whatever
// the registry has under it. `--check` writes nothing and fails if a file is out of date.
import './lib/currentNode.mjs';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from './lib/packages.mjs';

const name = 'context-inspector';
const title = 'Context Inspector';
const description =
  'Lets the agent ask what fills its context window, what it has seen of a file, what a compaction dropped, why the cache was lost, and what the next request costs.';
const { version, license } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const author = { name: title };

/** The situations in which a tool helps. */
const uses = [
  ['context_status', 'before a large task, or when the user asks how full the context is'],
  ['what_fills_context', 'the context is fuller than expected'],
  ['was_seen', 'before you edit a file from memory, above all after a compaction'],
  ['what_was_dropped', 'after a compaction, when something that you knew is missing'],
  ['why_cache_lost', 'the user asks why a session is expensive'],
  ['forecast', 'before a change of the model, the tools or the context'],
  ['worth_a_look', 'the user asks what to improve'],
  ['find_in_sessions', 'the user refers to earlier work'],
];

const skill = `---
name: ${name}
description: Questions about your own context window. Use when it may be full, before you edit a file from memory, after a compaction, and when the user asks about cost, cache or earlier sessions.
---

The tools of the server \`${name}\` answer in at most 500 tokens. They only read.

| When | Tool |
|---|---|
${uses.map(([tool, when]) => `| ${when} | \`${tool}\` |`).join('\n')}

Call a tool without \`session\` for your own session. If the answer asks which session is yours, name it.

If the user wants the context in the status line of Claude Code: a plugin cannot set it, so add this to \`~/.claude/settings.json\`, in place of another \`statusLine\` only if the user agrees:

\`\`\`json
${JSON.stringify({ statusLine: { type: 'command', command: `${name} statusline` } })}
\`\`\`
`;

const json = value => `${JSON.stringify(value, null, 2)}\n`;

const guardEvents = {
  // Claude Code has PreModelSwitch since 2.1.251, and says since then what a resumed session costs. Codex does neither.
  claude: ['SessionStart', 'UserPromptSubmit', 'PreModelSwitch', 'PreCompact', 'PreToolUse'],
  codex: ['UserPromptSubmit', 'PreCompact', 'PreToolUse'],
};

/** The hooks of the guard. Codex takes no other member beside `hooks`. */
const hooksFor = events =>
  json({
    hooks: Object.fromEntries(
      events.map(event => [
        event,
        [
          {
            // A new session has no cache to lose.
            ...(event === 'SessionStart' ? { matcher: 'resume|fork' } : {}),
            hooks: [{ type: 'command', command: `${name} guard` }],
          },
        ],
      ]),
    ),
  });

const plugins = [
  {
    name,
    title,
    description,
    codex: { skills: './skills/', mcpServers: './.mcp.json' },
    files: {
      '.mcp.json': json({ mcpServers: { [name]: { command: name, args: ['mcp'] } } }),
      [`skills/${name}/SKILL.md`]: skill,
    },
  },
  {
    name: `${name}-guard`,
    title: `${title}: guard`,
    description:
      'Says, once, before an act that pays for the whole context again or fills the window: a prompt after the cache has expired, a switch of the model, a compaction with a cold cache. Blocks nothing.',
    codex: { hooks: './hooks/codex.json' },
    files: {
      'hooks/hooks.json': hooksFor(guardEvents.claude),
      'hooks/codex.json': hooksFor(guardEvents.codex),
    },
  },
];

/** The files of a plugin, by path below plugins/. */
const filesOf = plugin => {
  const { name, description } = plugin;
  const about = { name, version, description, author, license };
  return {
    ...plugin.files,
    '.claude-plugin/plugin.json': json(about),
    '.codex-plugin/plugin.json': json({
      ...about,
      ...plugin.codex,
      interface: { displayName: plugin.title, shortDescription: description, category: 'Productivity' },
    }),
  };
};

/** Texts by path below plugins/. The layouts: code.claude.com/docs/en/plugins, developers.openai.com/codex/plugins/build. */
const files = {
  '.claude-plugin/marketplace.json': json({
    name,
    owner: author,
    metadata: { description },
    plugins: plugins.map(({ name, description }) => ({ name, source: `./${name}`, description })),
  }),
  '.agents/plugins/marketplace.json': json({
    name,
    interface: { displayName: title },
    plugins: plugins.map(({ name }) => ({
      name,
      source: { source: 'local', path: `./${name}` },
      policy: { installation: 'AVAILABLE', authentication: 'ON_INSTALL' },
      category: 'Productivity',
    })),
  }),
  ...Object.fromEntries(
    plugins.flatMap(plugin =>
      Object.entries(filesOf(plugin)).map(([below, text]) => [`${plugin.name}/${below}`, text]),
    ),
  ),
};

function current(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

for (const [below, text] of Object.entries(files)) {
  const path = join(root, 'plugins', below);
  if (process.argv.includes('--check')) {
    if (current(path) !== text) {
      console.error(`plugins/${below} is out of date. Run: npm run plugins`);
      process.exitCode = 1;
    }
  } else {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
}
