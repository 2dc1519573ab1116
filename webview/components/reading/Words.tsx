import { Fragment, memo, type ReactNode } from 'react';
import { visibleText } from '../../../src/core/base/visibleText';
import { masksIn } from '../../state/shownText';
import { Masked } from '../block/TextRows';
import { useHitPattern, useMasks } from './reading';

/** Words of a text: never markup. Masked parts are chips, and what the search looks for is marked. */
export const Words = memo(function Words({ text }: { readonly text: string }) {
  const masks = useMasks();
  const pattern = useHitPattern();
  return masksIn(text, masks).map((part, index) =>
    typeof part === 'string' ? (
      <Fragment key={index}>{pattern === undefined ? visibleText(part) : hitsIn(part, pattern)}</Fragment>
    ) : (
      <Masked key={index} segment={part} />
    ),
  );
});

function hitsIn(text: string, pattern: RegExp): ReactNode {
  const parts: ReactNode[] = [];
  let start = 0;
  for (const { 0: hit, index } of text.matchAll(pattern)) {
    parts.push(
      visibleText(text.slice(start, index)),
      <mark key={index} className="mark hit">
        {visibleText(hit)}
      </mark>,
    );
    start = index + hit.length;
  }
  return start === 0 ? visibleText(text) : [...parts, visibleText(text.slice(start))];
}
