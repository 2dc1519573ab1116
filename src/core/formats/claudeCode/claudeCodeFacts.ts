import { isArray, numberAt, objectAt, stringAt } from '../../base/json';
import type { Attribution } from '../../model/transcript';
import { readDiagnosis } from '../../wire/cacheDiagnosis';
import type { RequestDraft } from '../common/history';
import { readUsage, tokensOf } from '../../wire/usage';

/** The members of an assistant line that name the skill, server or plugin behind its request. */
const attributionKeys = [
  ['skill', 'attributionSkill'],
  ['plugin', 'attributionPlugin'],
  ['agent', 'attributionAgent'],
  ['mcpServer', 'attributionMcpServer'],
  ['effort', 'effort'],
] as const;

/** Notes the facts of an assistant line about its request: the provider's verdict on the cache, and the attribution. */
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

/** True for usage with the members that Qoder adds to Claude Code's (Qoder CLI 1.1.52). */
export const isUsageOfQoder = (usage: unknown): boolean =>
  ['context_usage_ratio', 'credits'].some(name => numberAt(usage, name) !== undefined);

/** Every line of a reply has usage; the input counts are the same on all, the output count is right on the last. */
export function noteUsage(draft: RequestDraft, message: unknown, isDoubtful: boolean): void {
  const usage = objectAt(message, 'usage');
  if (usage === undefined) {
    return;
  }
  const read = readUsage(usage, 'anthropic');
  // Qoder writes zeros where it does not show its token counts.
  if (read !== undefined && (tokensOf(read) > 0 || !isUsageOfQoder(usage))) {
    const before = draft.usage?.output ?? 0;
    draft.usage = before > read.output ? { ...read, output: before } : read;
  }
  if (isDoubtful) {
    draft.outputDoubtful = true;
  }
}

/** True if a hook note, in progress or attached, comes from the hook that runs when a session is resumed. */
export function isResumeHook(note: unknown): boolean {
  return stringAt(note, 'hookName') === 'SessionStart:resume';
}

/** The codes of a terminal around a name that is printed bold. */
const boldCode = new RegExp(String.raw`${String.fromCodePoint(27)}\[\d+m`, 'g');

/**
 * The model that the command `/model` chose, from the line that Claude Code writes after it: as an id where the line names
 * one or a version, otherwise the short name. Undefined for any other text, and for the default model.
 */
export function chosenModel(content: unknown): string | undefined {
  const text = isArray(content) ? stringAt(content[0], 'text') : content;
  if (typeof text !== 'string') {
    return undefined;
  }
  const [, named] = /<local-command-stdout>\s*Set model to (.*)/.exec(text) ?? [];
  const plain = named?.replaceAll(boldCode, '').toLowerCase();
  const id = /claude-[a-z0-9.-]*[a-z0-9]/.exec(plain ?? '')?.[0];
  const [, family, version] = /^[`*]*([a-z]+)(?: (\d+(?:\.\d+)?))?/.exec(plain ?? '') ?? [];
  return (
    id ??
    (family === undefined || family === 'default'
      ? undefined
      : version === undefined
        ? family
        : `claude-${family}-${version.replace('.', '-')}`)
  );
}
