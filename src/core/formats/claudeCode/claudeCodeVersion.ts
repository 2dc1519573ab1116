/** The facts that depend on the version of Claude Code that wrote a line. */
export interface VersionFacts {
  /** True if the recorded output is known to be too low. */
  readonly outputDoubtful: boolean;
  /** True if the file may have request records, which list messages by their hashes. */
  readonly mayRecordRequests: boolean;
}

type Version = readonly number[];

/**
 * Replies of these versions keep the output count from the start of the stream, which is far too low (measured over 732
 * sessions).
 */
const doubtfulOutput = { from: [2, 1, 12], to: [2, 1, 50] } as const;

/** The first version that may write request records; messages of earlier versions need no hash. */
const firstWithRequestRecords = [2, 1, 186] as const;

/** @param version empty if the line names none */
export function factsOfVersion(version: string): VersionFacts {
  const parts = version.split('.').map(part => Number.parseInt(part, 10) || 0);
  return {
    outputDoubtful: !isBefore(parts, doubtfulOutput.from) && !isBefore(doubtfulOutput.to, parts),
    mayRecordRequests: version === '' || !isBefore(parts, firstWithRequestRecords),
  };
}

function isBefore(first: Version, second: Version): boolean {
  for (let index = 0; index < 3; index += 1) {
    const difference = (first[index] ?? 0) - (second[index] ?? 0);
    if (difference !== 0) {
      return difference < 0;
    }
  }
  return false;
}
