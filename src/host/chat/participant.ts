import * as v from 'valibot';
import * as vscode from 'vscode';
import { translate } from '../../core/base/translate';
import { isObject } from '../../core/base/json';
import { describeAnyError } from '../../node/files/fileErrors';
import { shownPlace } from '../../protocol/shownPlace';
import type { TranscriptOpener } from '../firstMinute';
import { chatParticipantId, showPlaceCommand } from '../manifest';
import type { Log } from '../../app/desk';
import { markdownWithCommand, registerCommand } from '../messages/userMessages';
import { answerMarkdown, markdownText } from './answerMarkdown';
import { type DeclaredTool, declaredTools } from './languageModelTools';
import type { SessionQuestions } from './sessionQuestions';
import { chatForms, chosenByCommand, chosenByWords, type ToolChoice } from './toolChoice';

/** More tools than this answer no question. */
const mostTools = 3;

/** For the model, which chooses the tools. It gets nothing of a session. */
const instruction =
  'Choose the tools that answer the question about a recorded session of a coding agent, and call them. Do not answer the question yourself: the user sees the answers of the tools. The question:';

const linkArgument = v.strictObject({ uri: v.string(), place: shownPlace });

/** Answers `@context` in the chat: chooses a tool by the slash command, the model or the words, and shows its answer. */
export function registerParticipant(
  extension: vscode.Extension<unknown>,
  {
    questions,
    opener,
    log,
  }: {
    readonly questions: Pick<SessionQuestions, 'ask'>;
    readonly opener: Pick<TranscriptOpener, 'openAt'>;
    readonly log: Log;
  },
): vscode.Disposable {
  const tools = declaredTools(extension);
  const participant = vscode.chat.createChatParticipant(
    chatParticipantId,
    async (request, _context, stream, token) => {
      const { choices, model } = await choicesFor(request, tools, log, token);
      const [first] = choices;
      if (first === undefined) {
        stream.markdown(helpMarkdown(request.command, tools));
        return;
      }
      for (const choice of choices) {
        if (token.isCancellationRequested) {
          return;
        }
        stream.progress(titleOf(tools, choice));
        try {
          stream.markdown(await answered(choice, questions));
        } catch (error) {
          stream.markdown(`${markdownText(describeAnyError(error))}\n`);
        }
      }
      if (model !== undefined) {
        stream.markdown(
          `\n${markdownText(translate('{0} chose what to ask, and got only your question.', model))}\n`,
        );
      }
    },
  );
  participant.iconPath = new vscode.ThemeIcon('layers');
  return vscode.Disposable.from(
    participant,
    registerCommand(showPlaceCommand, async (argument: unknown) => {
      const { uri, place } = v.parse(linkArgument, argument);
      await opener.openAt(vscode.Uri.parse(uri, true), place);
    }),
  );
}

const titleOf = (tools: readonly DeclaredTool[], { name }: ToolChoice): string =>
  markdownText(tools.find(tool => tool.name === name)?.title ?? name);

/** The tools to ask; `model` is the name of the model that chose them. */
async function choicesFor(
  { command, prompt, model }: vscode.ChatRequest,
  tools: readonly DeclaredTool[],
  log: Log,
  token: vscode.CancellationToken,
): Promise<{ readonly choices: readonly ToolChoice[]; readonly model?: string }> {
  if (command !== undefined) {
    const choice = chosenByCommand(command, prompt);
    return { choices: choice === undefined ? [] : [choice] };
  }
  if (prompt.trim() === '') {
    return { choices: [] };
  }
  try {
    const choices = await chosenByModel(model, prompt, tools, token);
    if (choices.length > 0) {
      return { choices, model: model.name };
    }
  } catch (error) {
    // The user has no model, did not allow it, or it calls no tools: the words are left.
    log.debug(`${chatParticipantId}: ${describeAnyError(error)}`);
  }
  const choice = chosenByWords(prompt);
  return { choices: choice === undefined ? [] : [choice] };
}

async function chosenByModel(
  model: vscode.LanguageModelChat,
  prompt: string,
  tools: readonly DeclaredTool[],
  token: vscode.CancellationToken,
): Promise<readonly ToolChoice[]> {
  const response = await model.sendRequest(
    [vscode.LanguageModelChatMessage.User(`${instruction}\n\n${prompt}`)],
    {
      justification: translate('The model chooses which question about the session to ask.'),
      tools: tools.map(({ name, description, schema }) => ({ name, description, inputSchema: schema })),
    },
    token,
  );
  const choices: ToolChoice[] = [];
  for await (const part of response.stream) {
    if (part instanceof vscode.LanguageModelToolCallPart && choices.length < mostTools) {
      const isKnown = tools.some(({ name }) => name === part.name);
      choices.push(...(isKnown && isObject(part.input) ? [{ name: part.name, params: part.input }] : []));
    }
  }
  return choices;
}

async function answered(
  { name, params }: ToolChoice,
  questions: Pick<SessionQuestions, 'ask'>,
): Promise<vscode.MarkdownString> {
  const answer = await questions.ask(name, params);
  return markdownWithCommand(
    answerMarkdown(answer, {
      uri: answer.uri?.toString(),
      ofPath: path => vscode.Uri.file(path).toString(),
    }),
    showPlaceCommand,
  );
}

/** The commands that a user can ask with. */
function helpMarkdown(command: string | undefined, tools: readonly DeclaredTool[]): string {
  const entries = Object.entries(chatForms).filter(
    ([, form]) => command === undefined || form.command === command,
  );
  const example = (form: string): string =>
    form === 'seen' ? ' src/shop.ts 10-40' : form === 'find' ? ' "database is locked"' : '';
  return [
    translate(
      'Ask with one of these commands, or about the cache, the context, costs, a file or a compaction:',
    ),
    '',
    ...entries.map(([name, form]) => {
      const title = tools.find(tool => tool.name === name)?.title ?? '';
      return `- \`/${form.command}${example(form.command)}\` – ${markdownText(title)}`;
    }),
    '',
  ].join('\n');
}
