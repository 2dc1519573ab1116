import type * as sqlite from 'node:sqlite';

/** Loads Node's own SQLite. Suppresses its warning that it is experimental. */
function loaded(): typeof sqlite {
  // oxlint-disable-next-line typescript/unbound-method -- it is put back as it was
  const { emitWarning } = process;
  process.emitWarning = () => undefined;
  try {
    return process.getBuiltinModule('node:sqlite');
  } finally {
    process.emitWarning = emitWarning;
  }
}

export const { DatabaseSync } = loaded();
