import { compareVersions } from '../base/compareVersions';
import type { Drift, LeftOut, Problem, ProblemKind, Transcript } from '../model/transcript';
import { checkedFormats, kindsOf } from './checkedVersions';

/** The reason for leaving out a record by its kind, as readers word it. */
const leftOutKind = /^([\w./:-]+(?: [\w./:-]+)?) (?:record|entry|event|part|attachment|item|log)$/;

/**
 * The transcript with notes about content that it does not show. Records of kinds unknown to the reader become problems
 * and `drift`; a file without any request gets a problem too. A view may be empty, but never without a reason.
 */
export function withUnread(transcript: Transcript): Transcript {
  const { format, leftOut, requests, bytesRead } = transcript;
  const unknown = unknownKinds(leftOut, kindsOf(format));
  const [first] = unknown;
  let { problems } = transcript;
  if (first !== undefined) {
    const count = unknown.reduce((sum, kind) => sum + kind.count, 0);
    problems = withProblem(problems, 'unknownRecord', Math.min(...unknown.map(({ line }) => line)), count);
  }
  if (requests.length === 0 && bytesRead > 0) {
    problems = withProblem(problems, 'noRequests', 1, 1);
  }
  return {
    ...transcript,
    problems,
    ...(first === undefined ? {} : { drift: driftOf(transcript, unknown) }),
  };
}

function unknownKinds(
  leftOut: readonly LeftOut[],
  known: ReadonlySet<string> | undefined,
): readonly LeftOut[] {
  if (known === undefined) {
    return [];
  }
  return leftOut.flatMap(({ reason, ...rest }) => {
    const kind = leftOutKind.exec(reason)?.[1];
    const [group = ''] = kind?.split(' ', 1) ?? [];
    return kind === undefined || known.has(kind) || known.has(`${group} *`)
      ? []
      : [{ reason: kind, ...rest }];
  });
}

function driftOf({ format, agent }: Transcript, unknown: readonly LeftOut[]): Drift {
  const kinds = unknown.map(({ reason, count }) => ({ name: reason, count }));
  const checked = checkedFormats[format]?.upTo;
  const [newest] = agent.versions.toSorted((first, second) => compareVersions(second, first));
  return checked === undefined || newest === undefined || compareVersions(newest, checked) <= 0
    ? { kinds }
    : { version: newest, checked, kinds };
}

/** The problems including this one. Some readers count this problem themselves; then the larger count is used. */
function withProblem(
  problems: readonly Problem[],
  kind: ProblemKind,
  line: number,
  count: number,
): readonly Problem[] {
  const same = problems.find(problem => problem.kind === kind);
  return [
    ...problems.filter(problem => problem !== same),
    { kind, line: Math.min(line, same?.line ?? line), count: Math.max(count, same?.count ?? 0) },
  ];
}
