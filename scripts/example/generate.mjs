// Writes the bundled example: a session in Claude Code's form, its subagent, and the files that it speaks of.
// The output is the same on every run. Argument: the folder to write to (media/example).
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { tellStory } from './story.mjs';

const folder = process.argv[2] ?? 'media/example';

const session = tellStory();
const toLines = lines => lines.map(line => JSON.stringify(line) + '\n').join('');
const files = new Map([['session.jsonl', toLines(session.main.lines)]]);
for (const [agentId, thread] of session.subagents) {
  files.set(`session/subagents/agent-${agentId}.jsonl`, toLines(thread.lines));
}
for (const path of [...session.project.touched].sort()) {
  // Packaging refuses .env files, and the bank's months are data: both are in the transcript only.
  if (path !== '.env' && !path.endsWith('.csv')) {
    files.set(path, session.project.text(path));
  }
}

rmSync(folder, { recursive: true, force: true });
for (const [path, text] of files) {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

const size = [...files.values()].reduce((sum, text) => sum + Buffer.byteLength(text), 0);
console.log(
  `${files.size} files, ${Math.round(size / 1000)} kB, ${session.main.requests} requests in ${folder}`,
);
