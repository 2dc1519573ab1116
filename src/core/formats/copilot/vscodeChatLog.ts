import { arrayAt, isArray, isObject, member, numberAt, type ValuePath } from '../../base/json';
import type { Locate } from '../../content/place';
import type { SourceRange } from '../../model/block';
import type { Decoder, DecodingProblem } from '../../reading/format';
import { RecordReader } from '../../reading/recordReader';

/** One change of the log: the path of the changed value, and the place of the change in the file. */
interface Change {
  readonly path: ValuePath;
  readonly range: SourceRange;
  /** The indices that a push added. */
  readonly pushed?: { readonly from: number; readonly to: number };
}

/**
 * VS Code's log of changes to a chat session (objectMutationLog.ts), replayed into the session. Kind 0 is the whole
 * session, 1 sets a value, 2 cuts a list and pushes to it, 3 deletes a value.
 */
export const vscodeChatLog: Decoder = {
  id: 'vscode-chat-log',
  matches: head =>
    /^\s*\{\s*"kind"\s*:\s*0\s*,\s*"v"\s*:\s*\{/.test(new TextDecoder().decode(head.subarray(0, 200))),
  decode: bytes => {
    let session: unknown;
    const changes: Change[] = [];
    const problems: DecodingProblem[] = [];
    const reader = new RecordReader({
      record: ({ value, range }) => {
        const path = pathOf(value);
        const content = member(value, 'v');
        switch (numberAt(value, 'kind')) {
          case 0:
            session = content;
            changes.push({ path: [], range });
            break;
          case 1:
            session = changed(session, path, () => content);
            changes.push({ path, range });
            break;
          case 2:
            session = changed(session, path, list => {
              const kept = isArray(list) ? list.slice(0, numberAt(value, 'i') ?? list.length) : [];
              const pushed = arrayAt(value, 'v');
              changes.push({ path, range, pushed: { from: kept.length, to: kept.length + pushed.length } });
              return [...kept, ...pushed];
            });
            break;
          case 3:
            session = changed(session, path, () => undefined);
            break;
          case undefined:
          default:
        }
      },
      problem: (kind, line) => problems.push({ kind, line }),
    });
    reader.push(bytes);
    reader.finish();
    const whole = { line: 1, offset: 0, length: bytes.length };
    const locate: Locate = path => changes.findLast(change => covers(change, path))?.range ?? whole;
    return Promise.resolve({ kind: 'document', document: session, locate, problems });
  },
};

function pathOf(value: unknown): ValuePath {
  return arrayAt(value, 'k').filter(key => typeof key === 'string' || typeof key === 'number');
}

function covers({ path, pushed }: Change, wanted: ValuePath): boolean {
  if (wanted.length < path.length || !path.every((key, index) => key === wanted[index])) {
    return false;
  }
  const index = wanted[path.length];
  return (
    pushed === undefined ||
    index === undefined ||
    (typeof index === 'number' && index >= pushed.from && index < pushed.to)
  );
}

/** The value after a change to the part at a path. A path that leads nowhere changes nothing. */
function changed(value: unknown, path: ValuePath, change: (part: unknown) => unknown): unknown {
  const [key, ...rest] = path;
  if (key === undefined) {
    return change(value);
  }
  if (typeof key === 'number' && isArray(value) && key >= 0 && key <= value.length) {
    return [...value.slice(0, key), changed(value[key], rest, change), ...value.slice(key + 1)];
  }
  if (typeof key === 'string' && isObject(value) && key !== '__proto__') {
    return { ...value, [key]: changed(member(value, key), rest, change) };
  }
  return value;
}
