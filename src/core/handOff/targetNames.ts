/** The agents that a session can be handed to. */
export const handOffTargets = ['claude-code', 'codex', 'opencode', 'pi'] as const;
export type HandOffTarget = (typeof handOffTargets)[number];

/** Their names, as their sessions have them. */
export const targetAgents: Readonly<Record<HandOffTarget, string>> = {
  'claude-code': 'Claude Code',
  codex: 'Codex',
  opencode: 'opencode',
  pi: 'pi',
};
