import { isArray, isObject, member, objectAt, stringAt, type ValuePath } from '../base/json';
import type { JsonEdit } from '../base/jsonEdits';
import type { OpenRecordEditor, PrunedResults } from './recordEditor';

/**
 * opencode keeps a pruned output and marks its part: `state.time.compacted` is the time, and later requests contain the
 * notice (opencode 1.18.34, session/compaction.ts). There is no such mark for a truncated output, so its text is changed.
 */
export const opencodeCopy: OpenRecordEditor = pruned => ({ prune: value => partEdits(value, pruned, []) });

function partEdits(value: unknown, pruned: PrunedResults, path: ValuePath): readonly JsonEdit[] {
  if (isArray(value)) {
    return value.flatMap((item, index) => partEdits(item, pruned, [...path, index]));
  }
  if (!isObject(value)) {
    return [];
  }
  if (stringAt(value, 'type') !== 'tool') {
    return ['sessions', 'messages', 'parts'].flatMap(key =>
      partEdits(member(value, key), pruned, [...path, key]),
    );
  }
  const state = objectAt(value, 'state');
  const output = stringAt(state, 'output');
  const text =
    output === undefined ? undefined : pruned.replacementOf(stringAt(value, 'callID') ?? '', output);
  if (text === undefined) {
    return [];
  }
  if (!pruned.cleared) {
    return [{ kind: 'replace', path: [...path, 'state', 'output'], json: JSON.stringify(text) }];
  }
  const mark = String(pruned.time);
  const time = objectAt(state, 'time');
  if (time === undefined) {
    return [{ kind: 'append', path: [...path, 'state'], key: 'time', json: `{"compacted":${mark}}` }];
  }
  return Object.hasOwn(time, 'compacted')
    ? [{ kind: 'replace', path: [...path, 'state', 'time', 'compacted'], json: mark }]
    : [{ kind: 'append', path: [...path, 'state', 'time'], key: 'compacted', json: mark }];
}
