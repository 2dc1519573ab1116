/** Folders of persons, in paths of Linux, macOS and Windows. */
const home = /^(?:\/home\/[^/]+|\/Users\/[^/]+|\/root|[a-z]:\/Users\/[^/]+)(?=\/)/i;

/**
 * What a session's files are called, so that two checkouts of one project, also on two machines, have the same names: by
 * the path below the folder that the agent worked in, else below the person's home folder, else by the whole path.
 */
export class ProjectPaths {
  /** Whether a file was named by its path below the folder. */
  isUsed = false;
  private readonly folder: string;

  /**
   * @param workingDirectory empty where it is not known
   * @param isBelow false where only one of the two sessions says where it worked: then files are called by whole paths
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
