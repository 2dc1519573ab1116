import { isArray, member, stringAt } from '../../base/json';
import { readContent } from '../../wire/gemini/blocks';
import type { KnownCalls } from '../../content/knownCalls';
import { sourceOf } from '../../content/place';
import type { DocumentFormat } from '../../reading/format';
import { History } from '../common/history';
import { listUnpairedResults } from '../common/unpairedResults';
import { splitThoughts } from './geminiReply';

/** The output of Gemini CLI's `/chat save`: a bare list of Contents, or `{history: […]}` around it. */
export const geminiCheckpoint: DocumentFormat = {
  kind: 'document',
  id: 'gemini-checkpoint',
  name: 'Gemini CLI checkpoint',
  matches: document => isContents(isArray(document) ? document : member(document, 'history')),
  read({ value, range }, locate, builder) {
    builder.agentName = 'Gemini CLI';
    const list = isArray(value) ? value : member(value, 'history');
    const base = isArray(value) ? [] : ['history'];
    const history = new History(builder);
    const calls: KnownCalls = new Map();
    (isArray(list) ? list : []).forEach((content, index) => {
      const place = { record: range, path: [...base, index], locate };
      const { role, blocks } = readContent(content, place, calls);
      const { thoughts, said } = splitThoughts(blocks);
      const message = builder.addMessage({ role });
      const reply = builder.addBlocks(thoughts, message);
      const sentBack = builder.addBlocks(said, message);
      if (blocks.length === 0) {
        builder.leaveOut('a message without content', sourceOf(place));
      }
      if (role === 'assistant') {
        history.open({ line: sourceOf(place).line }, [...reply, ...sentBack]);
      }
      history.append({ blocks: sentBack });
    });
    listUnpairedResults(builder);
    builder.title = builder.firstPrompt;
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
