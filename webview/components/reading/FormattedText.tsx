import { useMemo } from 'react';
import { at } from '../../../src/core/base/numbers';
import { kindOf } from '../../../src/core/model/blockWords';
import type { SessionColumns } from '../../../src/core/model/columns';
import type { BlockText } from '../../../src/core/session/blockText';
import { diffOf, editsIn } from '../../state/editLines';
import { shownText } from '../../state/shownText';
import { DiffLines } from './Lines';
import { MasksContext } from './reading';
import { contentOf } from './TextBody';

/** Facts from which the form of a text follows. */
export interface TextLook {
  readonly isProse: boolean;
  /** The tool of a call; empty for other blocks. */
  readonly tool: string;
  /** The name of the file that it came from; empty if there is none. */
  readonly file: string;
}

export const proseLook: TextLook = { isProse: true, tool: '', file: '' };

/** The form of a block's text. */
export function lookOf({ blocks, strings }: SessionColumns, block: number): TextLook {
  const kind = kindOf(blocks, block);
  return {
    isProse: kind !== 'toolCall' && kind !== 'toolResult' && kind !== 'toolSchema',
    tool: kind === 'toolCall' ? (strings.at(at(blocks.tool, block)) ?? '') : '',
    file: kind === 'toolResult' ? (strings.at(at(blocks.path, block)) ?? '') : '',
  };
}

/** A page of a text in its form: Markdown, the change of an edit, JSON, or code in its colours. */
export function FormattedText({ page, look }: { readonly page: BlockText; readonly look: TextLook }) {
  const text = useMemo(() => shownText(page), [page]);
  const content = useMemo(() => {
    const change =
      look.tool === ''
        ? []
        : editsIn(look.tool, text.text).flatMap(({ path, parts }) => [{ path, lines: diffOf(parts) }]);
    return change.length > 0
      ? change.map(({ path, lines }, index) => <DiffLines key={`${index} ${path}`} lines={lines} />)
      : contentOf(text, look.isProse, look.file, Number.MAX_SAFE_INTEGER, false).content;
  }, [text, look]);
  return (
    <MasksContext.Provider value={text.masks}>
      <div className={`formatted${look.isProse ? ' formatted--prose' : ''}`}>{content}</div>
    </MasksContext.Provider>
  );
}
