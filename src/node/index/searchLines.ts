import { type AnswerLine } from '../../core/contextTools/contextTool';
import { formatMinute } from '../../core/base/format';
import { translate } from '../../core/base/translate';
import { sessionOfThread } from '../../core/index/indexedSession';
import { withNamedMarks } from '../../core/sensitivity/redactionMark';
import { requestNumber } from '../../core/view/requestNames';
import type { SearchHit, SearchResult } from './searchIndex';

/** The hits of a search, under the name of each session. */
export function searchLines({ hits }: SearchResult): readonly AnswerLine[] {
  if (hits.length === 0) {
    return [translate('Nothing found.')];
  }
  return hits.flatMap((hit, number) => {
    const before = hits[number - 1];
    const isNew = before?.file !== hit.file || sessionOf(before).id !== sessionOf(hit).id;
    return [...(isNew ? [...(number === 0 ? [] : ['']), headOf(hit)] : []), ...describeHit(hit)];
  });
}

/** The session of a block. Its file may have several. */
export const sessionOf = ({ session, block }: SearchHit) => sessionOfThread(session, block.conversation);

function headOf(hit: SearchHit): AnswerLine {
  const { file } = hit;
  const session = sessionOf(hit);
  const text = [
    withNamedMarks(session.title),
    session.agent,
    session.project,
    session.id === '' ? file.path : session.id,
  ]
    .filter(part => part !== '')
    .join(' · ');
  return { text, isRecorded: true };
}

function removedWords({ left }: SearchHit['block']): string {
  return left === undefined
    ? translate('no longer in the context')
    : translate('no longer in the context from request {0} on', requestNumber(left));
}

function describeHit({ block, context, file }: SearchHit): readonly AnswerLine[] {
  const place = [
    ...(block.conversation === 0 ? [] : [translate('conversation {0}', block.conversation)]),
    ...(block.request === undefined ? [] : [translate('request {0}', requestNumber(block.request))]),
    translate('block {0}', block.block),
    block.tool ?? block.role,
    ...(block.time === undefined ? [] : [formatMinute(block.time)]),
    ...(block.isError ? [translate('failed')] : []),
    ...(block.removed ? [removedWords(block)] : []),
  ].join(', ');
  const text =
    context === undefined
      ? translate('The transcript can no longer be read.')
      : `${context.before}${context.hit}${context.after}`.replace(/\s+/g, ' ').trim();
  const { conversation, request } = block;
  return [
    {
      text: `  ${place}`,
      place: { conversation, request, block: block.block, path: file.path },
      isRecorded: true,
    },
    { text: `    ${text}`, isRecorded: true },
  ];
}
