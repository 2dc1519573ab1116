import { isArray, member, stringAt } from '../../base/json';
import { labelOfText } from '../../content/blockLabels';
import { geminiBlocks } from '../../content/dialects/gemini';
import type { KnownCall } from '../../content/knownCalls';
import type { DocumentFormat } from '../../reading/format';
import { History } from '../common/history';

/** What `/chat save` of Gemini CLI writes: a bare list of Contents, or `{history: […]}` around it. */
export const geminiCheckpoint: DocumentFormat = {
  kind: 'document',
  id: 'gemini-checkpoint',
  name: 'Gemini CLI checkpoint',
  matches: document => isContents(isArray(document) ? document : member(document, 'history')),
  read(record, locate, builder) {
    builder.agentName = 'Gemini CLI';
    const list = isArray(record.value) ? record.value : member(record.value, 'history');
    const base = isArray(record.value) ? [] : ['history'];
    const history = new History(builder);
    const calls = new Map<string, KnownCall>();
    (isArray(list) ? list : []).forEach((content, index) => {
      const place = { record: record.range, path: [...base, index, 'parts'], locate };
      const isReply = stringAt(content, 'role') === 'model';
      const role = isReply ? 'assistant' : 'user';
      const message = builder.addMessage({ role });
      const numbers: number[] = [];
      const thoughts: number[] = [];
      const blocks = geminiBlocks(member(content, 'parts'), place, role, calls);
      for (const block of blocks) {
        if (block.kind === 'toolResult' && !calls.has(block.callId ?? '')) {
          builder.addProblem('resultWithoutCall', block.source.line);
        }
        (block.kind === 'thinking' ? thoughts : numbers).push(builder.addBlock(block, message));
        builder.title ??= block.kind === 'prompt' ? labelOfText(block.content) : undefined;
      }
      if (blocks.length === 0) {
        builder.leaveOut('a message without content', locate([...base, index]));
      }
      if (isReply) {
        const { line } = locate([...base, index]);
        history.open({ line }, [...thoughts, ...numbers]);
      }
      // Thoughts are not sent back.
      history.append({ blocks: numbers });
    });
    return builder.build(geminiCheckpoint.id);
  },
};

function isContents(value: unknown): boolean {
  return (
    isArray(value) &&
    value.length > 0 &&
    value.every(content => {
      const role = stringAt(content, 'role');
      return (role === 'user' || role === 'model') && isArray(member(content, 'parts'));
    })
  );
}
