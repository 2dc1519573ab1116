import { createHash } from 'node:crypto';
import { entryOf } from '../../core/base/entryOf';
import type { SessionFile } from '../../core/finder/sessionList';

/** Numbers for the files of the list. A page identifies a session by number and does not need its path. */
export class SessionIds<File extends Pick<SessionFile, 'path'> = SessionFile> {
  private readonly ids = new Map<string, number>();
  private readonly files = new Map<number, File>();

  /** The number of a file: 48 bits of a hash of its path, so that it is the same after a reload. */
  of(file: File): number {
    const id = entryOf(this.ids, file.path, () =>
      createHash('sha256').update(file.path).digest().readUIntBE(0, 6),
    );
    this.files.set(id, file);
    return id;
  }

  /** The file as it was when its number was last requested. */
  file(id: number): File | undefined {
    return this.files.get(id);
  }
}
