import { visibleText } from '../../src/core/base/visibleText';
import { commonSentence, differingParts, factRows } from '../../src/core/compare/compareWords';
import { type Comparison, differenceKinds } from '../../src/core/compare/comparison';
import type { ToComparePage } from '../../src/protocol/comparePage';
import { Link } from '../controls/Link';
import { useSelected } from '../state/store';
import { compareWords as words, sideNames } from '../words/compare';
import type { Compared, OpenPlace } from './compareState';
import { Differences } from './Differences';
import { Fills } from './Fills';
import { PairedBars } from './PairedBars';
import { Prompt } from './Prompt';
import { RequestChoice } from './RequestChoice';

/** Two sessions side by side. */
export function ComparePage({ compared }: { readonly compared: Compared }) {
  const { answer, whole, isReading } = useSelected(compared.store, state => state);
  if (whole === undefined || answer === undefined) {
    const sentence = answer?.type === 'failed' ? answer.sentence : undefined;
    return (
      <main className="message-page" aria-busy={sentence === undefined}>
        <h1 className="message-page__title">{sentence === undefined ? words.title : words.failed}</h1>
        <p className="message-page__text muted" role="status">
          {sentence === undefined ? words.reading : visibleText(sentence)}
        </p>
      </main>
    );
  }
  return (
    <main className="compare" aria-busy={isReading}>
      <Head whole={whole} answer={answer} isReading={isReading} compared={compared} />
      {answer.type === 'comparison' && <Parts comparison={answer.comparison} open={compared.open} />}
    </main>
  );
}

interface HeadProps {
  readonly whole: Comparison;
  readonly answer: ToComparePage;
  readonly isReading: boolean;
  readonly compared: Compared;
}

/** Which two are compared, what of them, and what is to be said of the whole comparison. */
function Head({ whole, answer, isReading, compared }: HeadProps) {
  const shown = answer.type === 'comparison' ? answer.comparison : undefined;
  const sides = (shown ?? whole).sides;
  const common = shown === undefined ? undefined : commonSentence(shown);
  return (
    <header className="compare__head">
      <h1 className="visually-hidden">{words.title}</h1>
      {([0, 1] as const).map(side => (
        <div key={side} className="compare__title">
          <span className={`compare__letter compare__fill--${sideNames[side]}`} aria-hidden="true" />
          <span className="strong">{sideNames[side]}</span>
          <Link onPress={() => compared.open(side, sides[side].request)}>
            {visibleText(sides[side].title)}
          </Link>
          <RequestChoice side={side} whole={whole} compared={compared} />
        </div>
      ))}
      <p className="small muted" role="status">
        {isReading ? words.reading : answer.type === 'failed' ? visibleText(answer.sentence) : common}
      </p>
      {shown !== undefined && differingParts(shown).length === 0 && <p className="prose">{words.same}</p>}
      {shown?.mapped === true && <p className="small muted">{words.mapped}</p>}
    </header>
  );
}

interface PartsProps {
  readonly comparison: Comparison;
  readonly open: OpenPlace;
}

function Parts({ comparison, open }: PartsProps) {
  const { sides, lists, breakdown } = comparison;
  const longest = Math.max(
    ...breakdown.children.flatMap(({ first, second }) => [first.tokens, second.tokens]),
  );
  return (
    <div className="compare__columns">
      <div className="compare__column-of-parts">
        <Facts comparison={comparison} />
        <Fills sides={sides} />
        <section className="stack gap-4" aria-labelledby="parts">
          <h2 id="parts" className="compare__heading">
            {words.parts}
          </h2>
          <p className="small muted">
            {sides[0].request === undefined ? words.partsHint : words.partsOfRequestHint}
          </p>
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
  );
}

function Facts({ comparison }: Pick<PartsProps, 'comparison'>) {
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
