import { execFileSync } from 'node:child_process';
import { build } from 'esbuild';
import { binariesPlugin } from './binariesPlugin.mjs';

function git(...words) {
  return execFileSync('git', words, { encoding: 'utf8' }).trim();
}

/** The commit at which the current branch left main; the last commit if there is no main. */
function base() {
  for (const branch of ['main', 'origin/main']) {
    try {
      return git('merge-base', 'HEAD', branch);
    } catch {
      // Try the next name.
    }
  }
  return 'HEAD';
}

/** The files that differ from main, including untracked ones. */
export function changedFiles() {
  const changed = git('diff', '--name-only', base());
  const unknown = git('ls-files', '--others', '--exclude-standard');
  return [...changed.split('\n'), ...unknown.split('\n')].filter(path => path !== '');
}

/** The test files that are changed, or import a changed file directly or through other files. */
export async function changedTests(tests) {
  const changed = new Set(changedFiles());
  const { metafile } = await build({
    stdin: { contents: tests.map(path => `import './${path}';`).join('\n'), resolveDir: '.' },
    bundle: true,
    write: false,
    metafile: true,
    platform: 'node',
    format: 'cjs',
    external: ['esbuild', 'eslint', 'typescript', '@vscode/vsce'],
    plugins: [binariesPlugin],
    logLevel: 'error',
  });
  const reaches = test => {
    const seen = new Set([test]);
    for (const path of seen) {
      if (changed.has(path)) {
        return true;
      }
      metafile.inputs[path]?.imports.forEach(({ path: imported }) => seen.add(imported));
    }
    return false;
  };
  return tests.filter(reaches);
}
