import { visibleText } from '../../src/core/base/visibleText';
import { differingParts, factRows } from '../../src/core/compare/compareWords';
import { type Comparison, differenceKinds } from '../../src/core/compare/comparison';
import { Link } from '../controls/Link';
import { useSelected } from '../state/store';
import { compareWords as words, sideNames } from '../words/compare';
import type { Compared, OpenPlace } from './compareState';
import { Differences } from './Differences';
import { Fills } from './Fills';
import { PairedBars } from './PairedBars';
import { Prompt } from './Prompt';

/** Two sessions side by side. */
export function ComparePage({ compared: { store, open } }: { readonly compared: Compared }) {
  const state = useSelected(store, found => found);
  if (state?.type === 'comparison') {
    return <Both comparison={state.comparison} open={open} />;
  }
  return (
    <main className="message-page" aria-busy={state === undefined}>
      <h1 className="message-page__title">{state === undefined ? words.title : words.failed}</h1>
      <p className="message-page__text muted" role="status">
        {state === undefined ? words.reading : visibleText(state.sentence)}
      </p>
    </main>
  );
}

interface BothProps {
  readonly comparison: Comparison;
  readonly open: OpenPlace;
}

function Both({ comparison, open }: BothProps) {
  const { sides, mapped, lists, breakdown } = comparison;
  const longest = Math.max(
    ...breakdown.children.flatMap(({ first, second }) => [first.tokens, second.tokens]),
  );
  return (
    <main className="compare">
      <header className="compare__head">
        <h1 className="visually-hidden">{words.title}</h1>
        {([0, 1] as const).map(side => (
          <p key={side} className="compare__title">
            <span className={`compare__letter compare__fill--${sideNames[side]}`} aria-hidden="true" />
            <span className="strong">{sideNames[side]}</span>
            <Link onPress={() => open(side, sides[side].request)}>{visibleText(sides[side].title)}</Link>
          </p>
        ))}
        {differingParts(comparison).length === 0 && <p className="prose">{words.same}</p>}
        {mapped && <p className="small muted">{words.mapped}</p>}
      </header>
      <div className="compare__columns">
        <div className="compare__column-of-parts">
          <Facts comparison={comparison} />
          <Fills sides={sides} />
          <section className="stack gap-4" aria-labelledby="parts">
            <h2 id="parts" className="compare__heading">
              {words.parts}
            </h2>
            <p className="small muted">{words.partsHint}</p>
            <PairedBars pairs={breakdown.children} longest={longest} level={0} id="part" open={open} />
          </section>
        </div>
        <div className="compare__column-of-parts">
          <Prompt comparison={comparison} open={open} />
          {differenceKinds.map(kind => (
            <Differences key={kind} kind={kind} found={lists[kind]} open={open} />
          ))}
        </div>
      </div>
    </main>
  );
}

function Facts({ comparison }: Pick<BothProps, 'comparison'>) {
  return (
    <section className="stack gap-4" aria-labelledby="facts">
      <h2 id="facts" className="compare__heading">
        {words.facts}
      </h2>
      <table className="compare__table tabular" aria-labelledby="facts">
        <thead>
          <tr>
            <th scope="col">{words.name}</th>
            {sideNames.map(name => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {factRows(comparison).map(({ name, values: [first, second] }) => (
            <tr key={name} className={first === second ? 'muted' : undefined}>
              <th scope="row">{name}</th>
              <td>{visibleText(first)}</td>
              <td>{visibleText(second)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
