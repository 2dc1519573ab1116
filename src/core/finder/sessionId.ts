import { lastName, parentFolder } from '../base/pathPattern';

/** Ids that agents make: UUIDs, and words such as `ses_68a1…` and `T-5928…`. */
const made =
  /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|(?<![A-Za-z0-9])[A-Za-z]{1,8}[_-](?=[A-Za-z0-9]*\d)[A-Za-z0-9]{8,}/i;

/** Minimum number of digits in a file name that is the id of one session and not a kind of file. */
const leastDigits = 4;

/**
 * The id of a session, from the path of its file: in the file's name, otherwise in the names of the folders above it,
 * because many agents keep each session in its own folder. If none is an id, the file's name without its endings.
 */
export function sessionIdOf(path: string): string {
  const stems = namesOf(path).map(name => name.replace(/(?<=.)\..*$/, ''));
  const numbered = stems.find(stem => stem.replace(/\D/g, '').length >= leastDigits);
  return madeIdOf(path) ?? numbered ?? stems[0] ?? '';
}

/** The same, but only for an id that an agent made. */
export function madeIdOf(path: string): string | undefined {
  // Antigravity's transcripts lie three folders below the one that has the id.
  return [...namesOf(path), lastName(parentFolder(parentFolder(parentFolder(path))))]
    .map(name => made.exec(name)?.[0])
    .find(id => id !== undefined);
}

function namesOf(path: string): readonly string[] {
  return [path, parentFolder(path), parentFolder(parentFolder(path))].map(lastName);
}
