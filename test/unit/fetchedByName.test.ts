import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { it } from 'node:test';

/** A command that fetches a package by its name and runs it: whoever owns the name in the registry runs code. */
const fetching =
  /\b(?:npx|bunx|pnpx|uvx|pipx run|(?:pnpm|yarn) dlx|npm (?:exec|x))\s+(?:-\S+\s+)*(?!\.{0,2}\/)(?<name>[@\w][\w@/.-]*)|\bnpm (?:i|install)\s+(?:-\S+\s+)*(?!\.{0,2}\/)(?<package>[@\w][\w@/.-]*)/g;

/** Files that people and agents take commands from. Tests and scripts run programs of this checkout. */
const isMeant = (path: string): boolean =>
  /^(?:README\.md|action\.yml|\.pre-commit-hooks\.yaml|package\.nls.*|l10n\/.*|docs\/.*|plugins\/.*|media\/.*\.md|src\/.*)$/.test(
    path,
  ) && /\.(?:md|ya?ml|json|toml|ts)$/.test(path);

it('names no command that fetches this program from a registry', () => {
  const files = execFileSync('git', ['ls-files'], { encoding: 'utf8' }).split('\n').filter(isMeant);
  assert.ok(files.length > 200, 'nothing was looked at');
  const found = files.flatMap(path =>
    [...readFileSync(path, 'utf8').matchAll(fetching)].flatMap(({ groups }) => {
      const name = groups?.['name'] ?? groups?.['package'] ?? '';
      // An exact version is what publishing.md asks for after the first release.
      return /^context-inspector(?!@\d+\.\d+\.\d+\b)/.test(name) ? [`${path}: ${name}`] : [];
    }),
  );
  assert.deepEqual(found, []);
});
