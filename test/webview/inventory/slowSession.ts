/// <reference types="node" />
import { ClaudeCodeSession } from '../../fixtures/claudeCodeSession';

/** A megabyte of random letters without a space: no other text takes longer to count. */
function letters(seed: number): string {
  const bytes = new Uint8Array(1_000_000);
  let state = seed;
  for (let index = 0; index < bytes.length; index += 1) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    bytes[index] = 97 + ((state >>> 24) % 26);
  }
  return Buffer.from(bytes).toString('latin1');
}

/** A session that takes about a tenth of a second per megabyte. */
export function slowlyMeasured(megabytes: number): string {
  const session = new ClaudeCodeSession().prompt('Read it.');
  for (let turn = 0; turn < megabytes; turn += 1) {
    const id = `toolu_${turn}`;
    session.reply({ tool: 'Read', id, input: { file_path: `${turn}.txt` } }).result(id, letters(turn));
  }
  return session.toString();
}
