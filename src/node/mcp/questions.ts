import { ToolError } from '../../core/contextTools/contextTool';
import { recorded } from '../../core/contextTools/recordedText';

/** Sessions that a question lists. */
export const mostListed = 5;

/** Asks the caller which of several sessions is its own. */
export const whichOne = (sessions: readonly string[]): ToolError =>
  new ToolError(
    `${sessions.length} sessions are being written in this folder. Which one is yours? Name it: session. ${sessions.slice(0, mostListed).map(recorded).join('; ')}`,
  );

export const noneHere = (): ToolError =>
  new ToolError('No agent has a session in this folder. Name one: session.');
