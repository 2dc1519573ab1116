import { useState } from 'react';
import { formatNumber } from '../../src/core/base/format';
import { visibleText } from '../../src/core/base/visibleText';
import type { BreakdownPair } from '../../src/core/compare/comparison';
import { ShowMore, useShown } from '../components/common/ShowMore';
import { FoldButton } from '../controls/FoldButton';
import { compareWords as words, sideNames } from '../words/compare';
import type { OpenPlace } from './compareState';
import { OpenFigure } from './OpenFigure';

interface PartsProps {
  readonly pairs: readonly BreakdownPair[];
  /** Tokens of the longest bar of the whole. */
  readonly longest: number;
  /** The depth in the tree. */
  readonly level: number;
  /** The id of the list. The ids of nested lists begin with it. */
  readonly id: string;
  readonly open: OpenPlace;
}

/** Parts of both breakdowns, each with a bar of A above a bar of B on one scale. */
export function PairedBars({ pairs, longest, level, id, open }: PartsProps) {
  const { shown, left, showMore } = useShown(pairs, 20);
  return (
    <ul className="compare__parts stack gap-6" id={id}>
      {shown.map((pair, index) => (
        <Part
          key={`${pair.kind} ${pair.name}`}
          pair={pair}
          longest={longest}
          level={level}
          id={`${id}-${index}`}
          open={open}
        />
      ))}
      {left > 0 && (
        <li>
          <ShowMore left={left} onPress={showMore} />
        </li>
      )}
    </ul>
  );
}

/** Indent per level, in CSS pixels. The bars of all levels have the same left edge. */
const indent = 16;

interface PartProps extends Omit<PartsProps, 'pairs'> {
  readonly pair: BreakdownPair;
}

function Part({ pair, longest, level, id, open }: PartProps) {
  const [isOpen, setIsOpen] = useState(false);
  const { name, children, places } = pair;
  const shown = visibleText(name);
  return (
    <li>
      <div className="compare__part">
        <span className="compare__label shrinks" style={{ paddingLeft: level * indent }}>
          <span>
            {children.length > 0 && (
              <FoldButton
                name={words.partsOf(shown)}
                isOpen={isOpen}
                controls={id}
                onToggle={() => setIsOpen(!isOpen)}
              />
            )}
          </span>
          <span className="breaks">{shown}</span>
        </span>
        <span className="stack gap-0">
          {([0, 1] as const).map(side => {
            const { tokens } = side === 0 ? pair.first : pair.second;
            return (
              <span key={side} className="compare__bar">
                <span className="fine muted">{sideNames[side]}</span>
                <span className="compare__track">
                  <span
                    className={`compare__length compare__fill--${sideNames[side]}`}
                    style={{ width: `${(tokens / Math.max(1, longest)) * 100}%` }}
                  />
                </span>
                <span className="compare__figure small numeric">
                  <OpenFigure
                    side={side}
                    name={name}
                    text={formatNumber(tokens)}
                    place={places[side]}
                    open={open}
                  />
                </span>
              </span>
            );
          })}
        </span>
      </div>
      {isOpen && <PairedBars pairs={children} longest={longest} level={level + 1} id={id} open={open} />}
    </li>
  );
}
