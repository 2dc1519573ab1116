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

/** True for an error of the operating system, such as ENOSPC. Node's own codes begin with ERR_. */
export function isSystemError(error: unknown): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    typeof error.code === 'string' &&
    /^E(?!RR_)[A-Z\d]+$/.test(error.code)
  );
}

interface Sentences {
  readonly missing?: string;
  readonly denied: string;
  readonly full?: string;
  readonly other: (message: string) => string;
}

/** Codes are those of Node and of VS Code's file systems. An error without a code already has a sentence. */
function describe(error: unknown, { missing, denied, full, other }: Sentences): string {
  const message = error instanceof Error ? error.message : String(error);
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  switch (code) {
    case 'ENOENT':
    case 'FileNotFound':
      return missing ?? translate('The file does not exist.');
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
    case 'NoPermissions':
      return denied;
    case 'ENOSPC':
    case 'EDQUOT':
      return full ?? other(message);
    case 'EISDIR':
    case 'FileIsADirectory':
      return folderSentence;
    case undefined:
      return message;
    default:
      return other(message);
  }
}
