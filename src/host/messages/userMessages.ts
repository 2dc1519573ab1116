import * as vscode from 'vscode';
import { visibleText } from '../../core/base/visibleText';
import type { Choice, Desk, Log, MessageKind, ProgressOptions, ShownProgress } from '../../app/desk';
import { cleanLog } from '../../app/log';
import { plainText } from './plainText';
import { describeAnyError } from '../../node/files/fileErrors';

/**
 * Everything that VS Code shows for this extension outside its pages: messages, progress, lists, prompts, the log and
 * errors of commands. All of it is plain text, see `plainText`. ESLint allows the interfaces used here only in this
 * file.
 */

/** Resolves with the pressed button, or with undefined if the message is closed, which may be never. */
export function showMessage<Button extends string>(
  kind: MessageKind,
  message: string,
  ...buttons: readonly Button[]
): Thenable<Button | undefined> {
  const shown = buttons.map(plainText);
  return notify(kind, plainText(message), shown).then(pressed =>
    pressed === undefined ? undefined : buttons[shown.indexOf(pressed)],
  );
}

function notify(
  kind: MessageKind,
  message: string,
  buttons: readonly string[],
): Thenable<string | undefined> {
  switch (kind) {
    case 'information':
      return vscode.window.showInformationMessage(message, ...buttons);
    case 'warning':
      return vscode.window.showWarningMessage(message, ...buttons);
    case 'error':
      return vscode.window.showErrorMessage(message, ...buttons);
  }
}

/**
 * Markdown of this program for the chat, with links that run one command and nothing else.
 * @param source its foreign texts have passed `markdownText`
 */
export function markdownWithCommand(source: string, command: string): vscode.MarkdownString {
  const text = new vscode.MarkdownString(source);
  text.isTrusted = { enabledCommands: [command] };
  return text;
}

/** Quiet work is shown in the status bar. */
export async function showProgress<Result>(
  { title, isQuiet = false, canCancel = false }: ProgressOptions,
  work: (progress: ShownProgress) => Promise<Result>,
): Promise<Result> {
  const { Notification, Window } = vscode.ProgressLocation;
  const options = {
    location: isQuiet ? Window : Notification,
    title: plainText(title),
    cancellable: canCancel,
  };
  return vscode.window.withProgress(options, (progress, token) =>
    work({
      report: (increment, message) =>
        progress.report({
          increment,
          ...(message === undefined ? {} : { message: plainText(message) }),
        }),
      onDidCancel: listener => token.onCancellationRequested(listener),
    }),
  );
}

/** Types a command into a new terminal. Only the user can run it. */
export function typeInTerminal(command: string): void {
  const terminal = vscode.window.createTerminal();
  terminal.show();
  // A line break would run the command.
  terminal.sendText(visibleText(command).replace(/[\t\n\r]+/gu, ' '), false);
}

/** @returns the text; undefined if the user cancels */
export async function askForText({
  title,
  prompt,
  problemOf,
  isSecret = false,
}: Parameters<Desk['text']>[0] & { readonly isSecret?: boolean }): Promise<string | undefined> {
  return vscode.window.showInputBox({
    password: isSecret,
    ignoreFocusOut: isSecret,
    title: plainText(title),
    prompt: plainText(prompt),
    validateInput: text => {
      const wrong = problemOf(text);
      return wrong === undefined ? undefined : plainText(wrong);
    },
  });
}

function plainChoice<Given extends Choice>(choice: Given): vscode.QuickPickItem & { readonly given: Given } {
  const { label, description = '', detail = '' } = choice;
  return {
    label: plainText(label),
    description: plainText(description),
    detail: plainText(detail),
    given: choice,
  };
}

/** @returns the chosen one; undefined if the user cancels */
export async function pick<Given extends Choice>(
  choices: readonly Given[],
  title: string,
): Promise<Given | undefined> {
  const chosen = await vscode.window.showQuickPick(choices.map(plainChoice), { title: plainText(title) });
  return chosen?.given;
}

/**
 * Lets the user choose while the list grows. Resolves with the choice, or with undefined if the user cancels.
 * @param fill adds choices at the end; `add` returns false once the list is closed
 */
export function pickWhileFilling<Given extends Choice>(
  { title, placeholder }: { readonly title: string; readonly placeholder: string },
  fill: (add: (choices: readonly Given[]) => boolean) => Promise<void>,
): Promise<Given | undefined> {
  const picker = vscode.window.createQuickPick<ReturnType<typeof plainChoice<Given>>>();
  picker.title = plainText(title);
  picker.placeholder = plainText(placeholder);
  picker.matchOnDescription = true;
  picker.matchOnDetail = true;
  picker.busy = true;
  return new Promise(resolve => {
    let isOpen = true;
    picker.onDidAccept(() => {
      resolve(picker.selectedItems[0]?.given);
      picker.hide();
    });
    picker.onDidHide(() => {
      isOpen = false;
      resolve(undefined);
      picker.dispose();
    });
    picker.show();
    const add = (choices: readonly Given[]): boolean => {
      if (isOpen && choices.length > 0) {
        const [active] = picker.activeItems;
        picker.items = [...picker.items, ...choices.map(plainChoice)];
        if (active !== undefined) {
          picker.activeItems = [active];
        }
      }
      return isOpen;
    };
    const end = (): void => {
      if (isOpen) {
        picker.busy = false;
      }
    };
    // After an error, the choices added so far are kept.
    fill(add).then(end, end);
  });
}

/** The content of an entry of the status bar. */
interface ShownStatus {
  /** An icon of VS Code, by its name. */
  readonly icon: string;
  readonly text: string;
  readonly tooltip: readonly string[];
  readonly isWarning: boolean;
}

/** An entry of the status bar, at the right, that runs a command when it is pressed. */
export class StatusEntry implements vscode.Disposable {
  private readonly item: vscode.StatusBarItem;

  constructor(
    id: string,
    private readonly name: string,
    command: string,
  ) {
    this.item = vscode.window.createStatusBarItem(id, vscode.StatusBarAlignment.Right, 90);
    this.item.name = plainText(name);
    this.item.command = command;
  }

  show({ icon, text, tooltip, isWarning }: ShownStatus): void {
    const { item, name } = this;
    item.text = `$(${icon}) ${plainText(text)}`;
    item.tooltip = tooltip.map(plainText).join('\n');
    item.accessibilityInformation = { label: [name, ...tooltip].map(plainText).join(', ') };
    item.backgroundColor = isWarning ? new vscode.ThemeColor('statusBarItem.warningBackground') : undefined;
    item.show();
  }

  hide(): void {
    this.item.hide();
  }

  dispose(): void {
    this.item.dispose();
  }
}

/** The output channel. */
export function createLog(name: string): Log {
  const channel = vscode.window.createOutputChannel(name, { log: true });
  return cleanLog({
    debug: line => channel.debug(plainText(line)),
    warn: line => channel.warn(plainText(line)),
    error: line => channel.error(plainText(line)),
    dispose: () => channel.dispose(),
  });
}

/** Registers a command. VS Code shows its error as a message, so the error is made plain text. */
export function registerCommand(
  id: string,
  run: Parameters<typeof vscode.commands.registerCommand>[1],
): vscode.Disposable {
  return vscode.commands.registerCommand(id, (...given: readonly unknown[]) =>
    plainErrors<unknown>(() => run(...given)),
  );
}

/** Runs work that VS Code asked for. Rejects with an error that VS Code can show. */
export async function plainErrors<Result>(work: () => Result | Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw new Error(plainText(describeAnyError(error)));
  }
}
