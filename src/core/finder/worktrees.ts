/**
 * The places where agents put worktrees. `repository` is the folder of the repository. If the path has only its name, it is
 * the folder that all its worktrees share.
 */
const namings: readonly RegExp[] = [
  // Claude Code; a folder that many tools share; Conductor; GitHub Copilot in VS Code.
  /^(?<repository>.+?)[/\\](?:\.claude[/\\]worktrees|\.worktrees|\.conductor)[/\\](?<worktree>[^/\\]+)(?<below>.*)$/,
  /^(?<repository>.+?)\.worktrees[/\\](?<worktree>[^/\\]+)(?<below>.*)$/,
  // Cursor, Conductor and opencode: a folder for the repository.
  /^(?<repository>.+?[/\\](?:\.cursor[/\\]worktrees|conductor[/\\]workspaces|opencode[/\\]worktree)[/\\][^/\\]+)[/\\](?<worktree>[^/\\]+)(?<below>.*)$/,
];

/** The Codex app: a folder for the worktree, with the repository's name in it. */
const codexNaming =
  /^(?<store>.+?[/\\]\.codex[/\\]worktrees)[/\\][^/\\]+(?<repository>[/\\][^/\\]+)(?<below>.*)$/;

/**
 * The folder in the repository that a folder of a worktree stands for, by the names that agents give to worktrees;
 * undefined if the folder has no such name.
 */
export function repositoryByName(folder: string): string | undefined {
  for (const naming of namings) {
    const { repository, below = '' } = naming.exec(folder)?.groups ?? {};
    if (repository !== undefined) {
      return `${repository}${below}`;
    }
  }
  const { store, repository = '', below = '' } = codexNaming.exec(folder)?.groups ?? {};
  return store === undefined ? undefined : `${store}${repository}${below}`;
}

/** The name of a worktree: the last part of its folder that the repository's does not have. */
export function worktreeName(folder: string, repository: string): string {
  const names = new Set(repository.split(/[/\\]/));
  const own = folder.split(/[/\\]/).filter(name => !names.has(name));
  return own.at(-1) ?? folder;
}
