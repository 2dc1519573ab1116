// Writes the plugins for Claude Code and Codex into plugins/, which is a marketplace of both agents: one folder with the
// server and the skill, and a manifest for each agent. `--check` writes nothing and fails if a file is out of date.
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
`;

const json = value => `${JSON.stringify(value, null, 2)}\n`;
const folder = `./${name}`;
const about = { name, version, description, author, license };

/** Texts by path below plugins/. The layouts: code.claude.com/docs/en/plugins, developers.openai.com/codex/plugins/build. */
const files = {
  '.claude-plugin/marketplace.json': json({
    name,
    owner: author,
    metadata: { description },
    plugins: [{ name, source: folder, description }],
  }),
  '.agents/plugins/marketplace.json': json({
    name,
    interface: { displayName: title },
    plugins: [
      {
        name,
        source: { source: 'local', path: folder },
        policy: { installation: 'AVAILABLE', authentication: 'ON_INSTALL' },
        category: 'Productivity',
      },
    ],
  }),
  [`${name}/.claude-plugin/plugin.json`]: json(about),
  [`${name}/.codex-plugin/plugin.json`]: json({
    ...about,
    skills: './skills/',
    mcpServers: './.mcp.json',
    interface: { displayName: title, shortDescription: description, category: 'Productivity' },
  }),
  [`${name}/.mcp.json`]: json({ mcpServers: { [name]: { command: 'npx', args: [name, 'mcp'] } } }),
  [`${name}/skills/${name}/SKILL.md`]: skill,
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
