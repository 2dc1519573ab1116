import * as vscode from 'vscode';
import type { Desk, Log } from '../../app/desk';
import type { SessionsApp } from '../../app/sessions/sessionsApp';
import { numberAt } from '../../core/base/json';
import { translate } from '../../core/base/translate';
import { type SessionDeed, sessionIdMember } from '../../protocol/sessionsPage';
import { commandIds, sessionsViewId } from '../manifest';
import { registerCommand } from '../messages/userMessages';
import type { ComparePages } from '../pages/comparePages';
import { webviewSurface } from '../pages/webviewSurface';
import { addressInWindow, dragOf } from './sessionDrag';

interface SessionsViewTools {
  readonly extensionUri: vscode.Uri;
  readonly sessions: SessionsApp;
  readonly comparePages: ComparePages;
  readonly desk: Desk;
  readonly log: Log;
}

/** The view with the list of the sessions on this machine, and the commands of its rows. */
export function registerSessionsView(tools: SessionsViewTools): vscode.Disposable {
  const { sessions, desk } = tools;
  const deed = (id: string, what: SessionDeed): vscode.Disposable =>
    registerCommand(id, (target?: unknown) => sessions.carryOut(what, rowOf(target), desk));
  return vscode.Disposable.from(
    vscode.window.registerWebviewViewProvider(sessionsViewId, {
      resolveWebviewView: view => open(view, tools),
    }),
    registerCommand(commandIds.sessionsRefresh, () => sessions.refresh()),
    registerCommand(commandIds.sessionsSearch, async () => {
      const found = await sessions.choose(desk, translate('Find Session by Title'));
      await (found && desk.show(vscode.Uri.file(found.path).toString()));
    }),
    registerCommand(commandIds.compare, (target?: unknown) => compare(target, tools)),
    deed(commandIds.sessionsOpen, 'open'),
    deed(commandIds.sessionsOpenToSide, 'openToSide'),
    deed(commandIds.sessionsOpenAsText, 'openAsText'),
    deed(commandIds.sessionsReveal, 'reveal'),
    deed(commandIds.sessionsCopyPath, 'copyPath'),
  );
}

function open(view: vscode.WebviewView, { extensionUri, sessions, desk, log }: SessionsViewTools): void {
  const title = translate('Sessions');
  const surface = webviewSurface(view, { extensionUri, log, script: 'sessions', title });
  sessions.open(surface, desk, path => dragOf(addressInWindow(vscode.Uri.file(path), view.webview)));
}

/** @param target the file of an editor, or the menu context of a row; undefined for the open transcript */
function compare(target: unknown, { sessions, comparePages, desk }: SessionsViewTools): Promise<void> {
  const row = sessions.file(rowOf(target));
  const given = target instanceof vscode.Uri ? target : row && vscode.Uri.file(row.path);
  return comparePages.compareWith(given, async path => {
    const chosen = await sessions.choose(desk, translate('Compare With'), path);
    return chosen?.path;
  });
}

/** The number of the row that a menu belongs to. */
const rowOf = (target: unknown): number => numberAt(target, sessionIdMember) ?? -1;
