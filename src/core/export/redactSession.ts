import type { Session } from '../model/columns';
import { IndexedTexts, type TextList } from '../model/textTable';
import type { Gate } from '../sensitivity/gate';
import type { TranscriptSession } from '../session/transcriptSession';

/** Lets a gate learn the secrets in the blocks of a request, and in the names and ids of its tool calls. */
export async function learnRequest(session: TranscriptSession, request: number, gate: Gate): Promise<void> {
  const { blocks, contexts, requests } = session.transcript;
  const found = requests[request];
  const numbers = (contexts[found?.context ?? 0] ?? []).slice(0, found?.length ?? 0);
  // The base64 of an image is not text that a rule could match.
  const readable = [...new Set(numbers)].filter(block => blocks.at(block)?.contentType !== 'image');
  for await (const { text } of session.textsOf(readable)) {
    await gate.learn(text);
  }
  const names = numbers.flatMap(number => {
    const block = blocks.at(number);
    return [block?.toolName ?? '', block?.callId ?? ''];
  });
  for (const name of new Set(names)) {
    await gate.learn(name);
  }
}

/** Lets a gate learn the secrets in all texts in which the scan found something. */
export async function learnFound(session: TranscriptSession, gate: Gate): Promise<void> {
  const found: number[] = [];
  for (let block = 0; block < session.transcript.blocks.length; block += 1) {
    if (session.scanned(block) !== 0 && !session.isImage(block)) {
      found.push(block);
    }
  }
  for await (const { text } of session.textsOf(found)) {
    await gate.learn(text);
  }
}

/** A session for a report: every foreign text of its summary and of the given blocks has passed the gate. */
export async function redactSession(
  { summary, columns }: Session,
  blocks: readonly number[],
  gate: Gate,
): Promise<Session> {
  const { strings } = columns;
  const shown = new Map<number, string>();
  const rows = columns.blocks;
  const numbers = new Set([
    ...blocks.flatMap(block => [rows.label[block] ?? 0, rows.tool[block] ?? 0]),
    ...columns.requests.model,
  ]);
  for (const number of numbers) {
    const text = strings.at(number) ?? '';
    const redacted = await gate.cutText(text);
    if (redacted !== text) {
      shown.set(number, redacted);
    }
  }
  const { agent, model, models, title, subagents, conversations, parts } = summary;
  return {
    columns: { ...columns, strings: shown.size === 0 ? strings : new ShownTexts(strings, shown) },
    summary: {
      ...summary,
      title: await gate.cutText(title),
      model: await gate.text(model),
      agent: {
        name: await gate.text(agent.name),
        versions: await Promise.all(agent.versions.map(version => gate.text(version))),
      },
      models: await Promise.all(models.map(async ({ id, row }) => ({ id: await gate.text(id), row }))),
      subagents: await Promise.all(
        subagents.map(async subagent =>
          subagent.description === undefined
            ? subagent
            : { ...subagent, description: await gate.cutText(subagent.description) },
        ),
      ),
      conversations: await Promise.all(
        conversations.map(async conversation => ({
          ...conversation,
          title: await gate.cutText(conversation.title),
        })),
      ),
      ...(parts === undefined
        ? {}
        : {
            parts: await Promise.all(
              parts.map(async part => ({ ...part, name: await gate.cutText(part.name) })),
            ),
          }),
    },
  };
}

/** Texts, some of which are replaced. */
class ShownTexts extends IndexedTexts {
  constructor(
    private readonly texts: TextList,
    private readonly shown: ReadonlyMap<number, string>,
  ) {
    super();
  }

  get length(): number {
    return this.texts.length;
  }

  at(index: number): string | undefined {
    return this.shown.get(index) ?? this.texts.at(index);
  }
}
