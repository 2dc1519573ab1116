import * as vscode from 'vscode';
import { arrayAt, objectAt, stringAt } from '../../core/base/json';
import { translate } from '../../core/base/translate';
import { plainText } from '../messages/plainText';
import { plainErrors } from '../messages/userMessages';
import { toolPrefix } from '../manifest';
import type { SessionQuestions } from './sessionQuestions';

/** A tool as package.json declares it. */
export interface DeclaredTool {
  /** Without the prefix. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly schema: object;
}

/** The tools in package.json. They come from there because the code of the tools is in the threads alone. */
export const declaredTools = ({ packageJSON }: vscode.Extension<unknown>): readonly DeclaredTool[] => {
  const manifest: unknown = packageJSON;
  return arrayAt(objectAt(manifest, 'contributes'), 'languageModelTools').map(tool => ({
    name: (stringAt(tool, 'name') ?? '').slice(toolPrefix.length),
    title: stringAt(tool, 'displayName') ?? '',
    description: stringAt(tool, 'modelDescription') ?? '',
    schema: objectAt(tool, 'inputSchema') ?? {},
  }));
};

/** Gives the tools to the models of the chat. The user confirms each call, because its answer goes to the model. */
export function registerTools(
  extension: vscode.Extension<unknown>,
  questions: Pick<SessionQuestions, 'ask'>,
): vscode.Disposable {
  return vscode.Disposable.from(
    ...declaredTools(extension).map(({ name, title }) =>
      vscode.lm.registerTool<object>(`${toolPrefix}${name}`, {
        prepareInvocation: ({ input }) => {
          const named = stringAt(input, 'session');
          return {
            invocationMessage: plainText(title),
            confirmationMessages: {
              title: plainText(title),
              message: plainText(
                named === undefined
                  ? translate(
                      'The answer is about the session in the active Context Inspector editor, otherwise about the session of this workspace. It goes to the model of the chat, without secrets.',
                    )
                  : translate(
                      'The answer is about session {0}. It goes to the model of the chat, without secrets.',
                      named,
                    ),
              ),
            },
          };
        },
        invoke: ({ input }) =>
          plainErrors(async () => {
            const { text } = await questions.ask(name, input);
            return new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(text)]);
          }),
      }),
    ),
  );
}
