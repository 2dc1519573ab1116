import { isObject, type JsonObject, numberAt, objectAt, parseJson, stringAt } from '../../base/json';
import type { SiblingFiles } from '../../reading/format';

/** Maximum number of files read in a folder; the newest are read. */
const mostFiles = 20_000;

/** Ids become parts of file names, so they may contain nothing else. */
const fileId = /^(ses|msg|prt)_[A-Za-z0-9]+$/;

type FileKind = 'session' | 'message' | 'part';

function kindOfFile(document: unknown): FileKind | undefined {
  const id = stringAt(document, 'id') ?? '';
  if (!fileId.test(id)) {
    return undefined;
  }
  const session = stringAt(document, 'sessionID');
  if (id.startsWith('ses_')) {
    return objectAt(document, 'time') !== undefined && stringAt(document, 'title') !== undefined
      ? 'session'
      : undefined;
  }
  if (session === undefined || !fileId.test(session)) {
    return undefined;
  }
  return id.startsWith('msg_')
    ? stringAt(document, 'role') === undefined
      ? undefined
      : 'message'
    : stringAt(document, 'type') === undefined
      ? undefined
      : 'part';
}

/** True if a document is one file of opencode's older storage: a session, a message or a part. */
export function isOpencodeFile(document: unknown): boolean {
  return kindOfFile(document) !== undefined;
}

/** The session of a file, with its children, as `{sessions: […]}`; the file itself if it has no messages next to it. */
export async function gatherOpencodeFiles(document: unknown, siblings: SiblingFiles): Promise<unknown> {
  const kind = kindOfFile(document);
  const id = kind === 'session' ? stringAt(document, 'id') : stringAt(document, 'sessionID');
  if (kind === undefined || id === undefined) {
    return document;
  }
  // All three kinds of files are two folders below the storage: session/PROJECT, message/SESSION, part/MESSAGE.
  const files = new StoredFiles(siblings, '../..');
  const info = kind === 'session' ? document : await files.findSession(id);
  const messages = await files.messages(id);
  if (messages.length === 0) {
    return document;
  }
  const children = await files.descendants(id, stringAt(info, 'projectID'));
  const sessions: unknown[] = [{ info: info ?? { id }, messages }];
  for (const child of children) {
    sessions.push({ info: child, messages: await files.messages(stringAt(child, 'id') ?? '') });
  }
  return { sessions };
}

class StoredFiles {
  constructor(
    private readonly siblings: SiblingFiles,
    private readonly root: string,
  ) {}

  async findSession(id: string): Promise<unknown> {
    for (const project of await this.siblings.list(`${this.root}/session`)) {
      const found = await this.read(`${this.root}/session/${project}/${id}.json`);
      if (found !== undefined) {
        return found;
      }
    }
    return undefined;
  }

  async messages(session: string): Promise<readonly unknown[]> {
    const messages: {
      readonly info: unknown;
      readonly parts: readonly unknown[];
      readonly created: number;
    }[] = [];
    for (const info of await this.readAll(`${this.root}/message/${session}`, 'msg_')) {
      const id = stringAt(info, 'id') ?? '';
      const parts = fileId.test(id) ? await this.readAll(`${this.root}/part/${id}`, 'prt_') : [];
      messages.push({ info, parts, created: numberAt(objectAt(info, 'time'), 'created') ?? 0 });
    }
    // Files are listed by id, which usually means by time. The ids of imported messages may be in another order.
    return messages
      .sort((first, second) => first.created - second.created)
      .map(({ info, parts }) => ({ info, parts }));
  }

  /** The sessions that a session started, directly or through others, in the order of their ids. */
  async descendants(id: string, project: string | undefined): Promise<readonly JsonObject[]> {
    if (project === undefined || !/^[\w-]+$/.test(project)) {
      return [];
    }
    const folder = `${this.root}/session/${project}`;
    const sessions = await this.readAll(folder, 'ses_');
    const family = new Set([id]);
    const found: JsonObject[] = [];
    for (let before = -1; before !== found.length;) {
      before = found.length;
      for (const session of sessions) {
        const child = stringAt(session, 'id') ?? '';
        if (family.has(stringAt(session, 'parentID') ?? '') && fileId.test(child) && !family.has(child)) {
          family.add(child);
          found.push(session);
        }
      }
    }
    return found;
  }

  private async readAll(folder: string, prefix: string): Promise<readonly JsonObject[]> {
    const names = (await this.siblings.list(folder)).filter(
      name => name.startsWith(prefix) && name.endsWith('.json'),
    );
    const found: JsonObject[] = [];
    for (const name of names.slice(-mostFiles)) {
      const value = await this.read(`${folder}/${name}`);
      if (isObject(value)) {
        found.push(value);
      }
    }
    return found;
  }

  private async read(path: string): Promise<unknown> {
    const bytes = await this.siblings.read(path);
    return parseJson(new TextDecoder().decode(bytes));
  }
}
