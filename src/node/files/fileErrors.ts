import { translate } from '../../core/base/translate';

export const folderSentence = translate('This is a folder, not a file.');

/**
 * One sentence for an error that occurred while a file was read or a question about it was answered. The sentence does
 * not name the file, because the caller does.
 */
export function describeFileError(error: unknown): string {
  return describe(error, {
    denied: translate('The file cannot be read: permission denied.'),
    other: message => translate('The file cannot be read: {0}.', message),
  });
}

/** The same for an error that occurred while a file was written. */
export function describeWriteError(error: unknown): string {
  return describe(error, {
    missing: translate('The file cannot be written: its folder does not exist.'),
    denied: translate('The file cannot be written: permission denied.'),
    full: translate('The file cannot be written: the disk is full.'),
    other: message => translate('The file cannot be written: {0}.', message),
  });
}

/** Node's own codes begin with ERR_. */
const systemCode = /^(?:E(?!RR_)[A-Z\d_]+|UNKNOWN)$/;

/** True for an error of the operating system, such as ENOSPC. */
export function isSystemError(error: unknown): boolean {
  return systemCode.test(codeOf(error) ?? '');
}

/** True if an error says that there is no such file. */
export function isMissingFile(error: unknown): boolean {
  return missingCodes.has(codeOf(error) ?? '');
}

/** One sentence for an error of any work, without the codes of the system. */
export function describeAnyError(error: unknown): string {
  return isSystemError(error)
    ? describeFileError(error)
    : error instanceof Error
      ? error.message
      : String(error);
}

const missingCodes: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR', 'FileNotFound']);

interface Sentences {
  readonly missing?: string;
  readonly denied: string;
  readonly full?: string;
  readonly other: (message: string) => string;
}

/** A code of the operating system at the beginning of a message, as Node and VS Code write it. */
const codeInMessage = /(?:^|[\s(])(E(?!RR_)[A-Z\d_]{2,}|UNKNOWN): /;

/** The code of Node, or of VS Code's file systems, which may have the system's only in the message. */
function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) {
    return undefined;
  }
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  return code === undefined || code === 'Unknown' || code === 'Unavailable'
    ? (codeInMessage.exec(error.message)?.[1] ?? code)
    : code;
}

/** An error without a code already has a sentence. */
function describe(error: unknown, { missing, denied, full, other }: Sentences): string {
  const message = error instanceof Error ? error.message : String(error);
  const code = codeOf(error);
  switch (code) {
    case 'ENOENT':
    case 'ENOTDIR':
    case 'FileNotFound':
      return missing ?? translate('The file does not exist.');
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
    case 'NoPermissions':
      return denied;
    case 'ENOSPC':
    case 'EDQUOT':
      return full ?? other(translate('the disk is full'));
    case 'EISDIR':
    case 'FileIsADirectory':
      return folderSentence;
    case 'EMFILE':
    case 'ENFILE':
      return other(translate('too many files are open'));
    case 'EBUSY':
    case 'ETXTBSY':
      return other(translate('another program uses it'));
    case 'ENAMETOOLONG':
      return other(translate('its name is too long'));
    case undefined:
      return message;
    default:
      return other(systemCode.test(code) ? translate('the system reports an error') : message);
  }
}
