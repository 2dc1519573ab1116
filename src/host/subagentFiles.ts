/**
 * Where Claude Code puts the transcript of a subagent, as path segments below the folder of the session's file: in a
 * folder named after the session, or, in older versions, beside it. Empty for an id that is no plain name, since it
 * comes out of the transcript and becomes part of a path.
 */
export function subagentFiles(sessionFileName: string, id: string): readonly (readonly string[])[] {
  if (!/^[\w-]+$/.test(id)) {
    return [];
  }
  const session = sessionFileName.replace(/\.jsonl$/i, '');
  const file = `agent-${id}.jsonl`;
  return [[session, 'subagents', file], [file]];
}
