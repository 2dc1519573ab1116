import { shellQuoted } from '../base/shellQuoted';
import { claudeCodeWriter } from '../formats/claudeCode/claudeCodeWriter';
import { codexWriter } from '../formats/codex/codexWriter';
import { opencodeWriter } from '../formats/opencode/opencodeWriter';
import { piWriter } from '../formats/pi/piWriter';
import type { SessionWriter } from '../formats/common/sessionToWrite';
import type { ModelFamily } from '../model/modelRow';
import type { Protocol } from '../model/protocol';
import { type HandOffTarget, targetAgents } from './targetNames';

export { type HandOffTarget, handOffTargets } from './targetNames';

export interface TargetFacts {
  /** Its name, as its sessions have it. */
  readonly agent: string;
  /** The id of its format. */
  readonly format: string;
  readonly writer: SessionWriter;
  /** The form in which it keeps what only one provider understands; undefined if it keeps none. */
  readonly protocol: Protocol | undefined;
  /** The families of models that it usually talks to; undefined if it talks to all. */
  readonly families: readonly ModelFamily[] | undefined;
  /** True if it takes pictures by their address. */
  readonly takesAddresses: boolean;
  /** The text that it sends for a result without text and images; undefined if it sends none. */
  readonly emptyResult: string | undefined;
  /**
   * The variable that moves its folder, and the folder below the home folder. Undefined if only the agent itself can add a
   * session.
   */
  readonly folder: { readonly variable: string; readonly home: string } | undefined;
  /** The command that resumes a session in the agent's folder, or the one at a path. */
  readonly resume: (session: { readonly id: string; readonly path: string }) => string;
  /** True if that command takes a file in any folder. */
  readonly takesPath: boolean;
}

export const targetFacts: Readonly<Record<HandOffTarget, TargetFacts>> = {
  'claude-code': {
    agent: targetAgents['claude-code'],
    format: 'claude-code',
    writer: claudeCodeWriter,
    protocol: 'anthropic',
    families: ['claude'],
    takesAddresses: false,
    emptyResult: undefined,
    folder: { variable: 'CLAUDE_CONFIG_DIR', home: '.claude' },
    resume: ({ id }) => `claude --resume ${id}`,
    takesPath: false,
  },
  codex: {
    agent: targetAgents.codex,
    format: 'codex',
    writer: codexWriter,
    protocol: 'openaiResponses',
    families: ['openai'],
    takesAddresses: true,
    emptyResult: undefined,
    folder: { variable: 'CODEX_HOME', home: '.codex' },
    resume: ({ id }) => `codex resume ${id}`,
    takesPath: false,
  },
  opencode: {
    agent: targetAgents.opencode,
    format: 'opencode',
    writer: opencodeWriter,
    protocol: undefined,
    families: undefined,
    takesAddresses: false,
    emptyResult: undefined,
    folder: undefined,
    resume: ({ id, path }) => `opencode import ${shellQuoted(path)} && opencode --session ${id}`,
    takesPath: true,
  },
  pi: {
    agent: targetAgents.pi,
    format: 'pi',
    writer: piWriter,
    protocol: undefined,
    families: undefined,
    takesAddresses: false,
    emptyResult: '(no tool output)',
    folder: { variable: 'PI_CODING_AGENT_DIR', home: '.pi/agent' },
    resume: ({ path }) => `pi --session ${shellQuoted(path)}`,
    takesPath: true,
  },
};
