import { randomUUID } from 'node:crypto';
import { createReadStream, mkdtempSync, rmSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';

/** Files that pages download: each is served once, from a folder that only the user can read. */
export class Downloads {
  private folder: string | undefined;
  private readonly offered = new Map<string, { readonly path: string; readonly name: string }>();

  /** The path of a file that does not exist yet. Files of one name do not meet. */
  pathFor(name: string): string {
    if (this.folder === undefined) {
      const folder = mkdtempSync(join(tmpdir(), 'context-inspector-view-'));
      process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
      this.folder = folder;
    }
    return join(mkdtempSync(join(this.folder, '-')), name);
  }

  /** Offers a written file. Returns its address on the server. */
  offer(path: string, name: string): string {
    const id = randomUUID();
    this.offered.set(id, { path, name });
    return `/download/${id}`;
  }

  /** Sends an offered file; false if there is none. */
  async send(id: string, response: ServerResponse): Promise<boolean> {
    const found = this.offered.get(id);
    this.offered.delete(id);
    if (found === undefined) {
      return false;
    }
    const { path, name } = found;
    try {
      const { size } = await stat(path);
      response.setHeader('content-type', 'application/octet-stream');
      response.setHeader('content-length', size);
      response.setHeader(
        'content-disposition',
        `attachment; filename*=UTF-8''${encodeURIComponent(name).replace(/['()*]/g, escape)}`,
      );
      await pipeline(createReadStream(path), response);
    } finally {
      rmSync(path, { force: true });
    }
    return true;
  }

  dispose(): void {
    if (this.folder !== undefined) {
      rmSync(this.folder, { recursive: true, force: true });
    }
  }
}

const escape = (character: string): string =>
  `%${(character.codePointAt(0) ?? 0).toString(16).toUpperCase()}`;
