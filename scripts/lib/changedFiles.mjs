import { execFileSync } from 'node:child_process';

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
