import { stringAt } from '../../base/json';
import type { Attribution } from '../../model/transcript';
import { readDiagnosis } from '../common/cacheDiagnosis';
import type { RequestDraft } from '../common/history';

/** Where an assistant line notes what its request came from. */
const attributionKeys = [
  ['skill', 'attributionSkill'],
  ['plugin', 'attributionPlugin'],
  ['agent', 'attributionAgent'],
  ['mcpServer', 'attributionMcpServer'],
  ['effort', 'effort'],
] as const;

/** Notes what an assistant line says about its request: the provider's verdict on the cache, and the attribution. */
export function noteFacts(draft: RequestDraft, line: unknown, message: unknown): void {
  const diagnosis = readDiagnosis(message);
  if (diagnosis !== undefined) {
    draft.diagnosis = diagnosis;
  }
  let found: { -readonly [Name in keyof Attribution]: Attribution[Name] } | undefined;
  for (const [name, key] of attributionKeys) {
    const value = stringAt(line, key);
    if (value !== undefined && value !== '') {
      found ??= { ...draft.attribution };
      found[name] = value;
    }
  }
  if (found !== undefined) {
    draft.attribution = found;
  }
}
