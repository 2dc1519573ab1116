import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { closeEverything } from '../inspector';
import { settleAll } from './busy';
import { closeQuestion } from './workbench';

/** Compares the contributions of the package with the inventory, uses each, and reports every failure. */
export async function useEach(
  contributed: readonly string[],
  known: readonly string[],
  use: (name: string) => Promise<unknown>,
): Promise<void> {
  const failures: string[] = [
    ...contributed.filter(name => !known.includes(name)).map(name => `${name} stands in no row`),
    ...known.filter(name => !contributed.includes(name)).map(name => `${name} is not contributed`),
  ];
  for (const name of known.filter(each => contributed.includes(each))) {
    try {
      await closeEverything();
      // Hides the list of sessions, because its page is not always distinguishable from that of an editor.
      await vscode.commands.executeCommand('workbench.view.explorer');
      await use(name);
      await settleAll();
    } catch (error) {
      failures.push(`${name}: ${error instanceof Error ? error.message : String(error)}`);
      await closeQuestion();
    }
    await vscode.commands.executeCommand('notifications.clearAll');
  }
  await closeEverything();
  assert.deepEqual(failures, []);
}
