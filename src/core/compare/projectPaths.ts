/** Folders of persons, in paths of Linux, macOS and Windows. */
const home = /^(?:\/home\/[^/]+|\/Users\/[^/]+|\/root|[a-z]:\/Users\/[^/]+)(?=\/)/i;

/**
 * Names for a session's files, so that two checkouts of one project, even on two machines, have the same names: the
 * path below the agent's working folder, otherwise the path below the home folder, otherwise the whole path.
 */
export class ProjectPaths {
  /** True if a file was named by its path below the folder. */
  isUsed = false;
  private readonly folder: string;

  /**
   * @param workingDirectory empty if unknown
   * @param isBelow false if only one of the two sessions records its folder; then files have whole paths
   */
  constructor(
    workingDirectory: string,
    private readonly isBelow: boolean,
  ) {
    this.folder = plain(workingDirectory).replace(/\/$/, '');
  }

  nameOf(path: string): string {
    const written = plain(path);
    const whole =
      isAbsolute(written) || this.folder === '' ? written : `${this.folder}/${written.replace(/^\.\//, '')}`;
    if (this.isBelow && this.folder !== '' && whole.startsWith(`${this.folder}/`)) {
      this.isUsed = true;
      return whole.slice(this.folder.length + 1);
    }
    return whole.replace(home, '~');
  }
}

const isAbsolute = (path: string): boolean => /^(?:\/|~|[a-z]:)/.test(path);

function plain(path: string): string {
  return path
    .replace(/^file:\/\//, '')
    .replaceAll('\\', '/')
    .replace(/^[A-Z]:/, drive => drive.toLowerCase());
}
