import { visibleText } from '../../src/core/base/visibleText';
import { commonSentence, differingParts, factRows } from '../../src/core/compare/compareWords';
import { type Comparison, differenceKinds } from '../../src/core/compare/comparison';
import { withNamedMarks } from '../../src/core/sensitivity/redactionMark';
import { Link } from '../controls/Link';
import { useSelected } from '../state/store';
import { useAnswerOf } from '../state/useAnswer';
import { compareWords as words, sideNames } from '../words/compare';
import type { Compared, OpenPlace } from './compareState';
import { Differences } from './Differences';
import { Fills } from './Fills';
import { PairedBars } from './PairedBars';
import { Prompt } from './Prompt';
import { RequestChoice } from './RequestChoice';

/** Two sessions side by side. */
export function ComparePage({ compared }: { readonly compared: Compared }) {
  const chosen = useSelected(compared.store, ({ view }) => view.chosen);
  const ofWhole = useAnswerOf(compared.ask, { name: 'compare', params: { requests: null } }, { pause: 0 });
  const ofRequests = useAnswerOf(
    compared.ask,
    chosen === null ? undefined : { name: 'compare', params: { requests: chosen } },
    { pause: 0 },
  );
  const { last: whole } = ofWhole;
  const { answer, last } = chosen === null ? ofWhole : ofRequests;
  if (whole === undefined) {
    const sentence = ofWhole.answer.kind === 'failed' ? ofWhole.answer.sentence : undefined;
    return (
      <main className="message-page" aria-busy={sentence === undefined}>
        <h1 className="message-page__title">{sentence === undefined ? words.title : words.failed}</h1>
        <p className="message-page__text muted" role="status">
          {sentence === undefined ? words.reading : visibleText(sentence)}
        </p>
      </main>
    );
  }
  const isReading = answer.kind === 'waiting';
  const shown = answer.kind === 'failed' ? undefined : (last ?? whole);
  return (
    <main className="compare" aria-busy={isReading}>
      <Head
        whole={whole}
        shown={shown}
        failure={answer.kind === 'failed' ? answer.sentence : undefined}
        isReading={isReading}
        compared={compared}
      />
      {shown !== undefined && <Parts comparison={shown} open={compared.open} />}
    </main>
  );
}

interface HeadProps {
  readonly whole: Comparison;
  /** The comparison in view. While a newly requested one is read, this is the earlier one. */
  readonly shown: Comparison | undefined;
  readonly failure: string | undefined;
  readonly isReading: boolean;
  readonly compared: Compared;
}

/** The two compared sessions, the chosen requests, and notes about the whole comparison. */
function Head({ whole, shown, failure, isReading, compared }: HeadProps) {
  const sides = (shown ?? whole).sides;
  const common = shown === undefined ? undefined : commonSentence(shown);
  return (
    <header className="compare__head stack gap-2 ruled">
      <h1 className="visually-hidden">{words.title}</h1>
      {([0, 1] as const).map(side => (
        <div key={side} className="compare__title row baseline shrinks breaks">
          <span className={`compare__letter rigid compare__fill--${sideNames[side]}`} aria-hidden="true" />
          <span className="strong">{sideNames[side]}</span>
          <Link onPress={() => compared.open(side, sides[side].request)}>
            {visibleText(withNamedMarks(sides[side].title))}
          </Link>
          <RequestChoice side={side} whole={whole} compared={compared} />
        </div>
      ))}
      <p className="small muted" role="status">
        {isReading ? words.reading : failure === undefined ? common : visibleText(failure)}
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
      <div className="compare__column-of-parts stack">
        <Facts comparison={comparison} />
        <Fills sides={sides} />
        <section className="stack gap-4" aria-labelledby="parts">
          <h2 id="parts">{words.parts}</h2>
          <p className="small muted">
            {sides[0].request === undefined ? words.partsHint : words.partsOfRequestHint}
          </p>
          <PairedBars pairs={breakdown.children} longest={longest} level={0} id="part" open={open} />
        </section>
      </div>
      <div className="compare__column-of-parts stack">
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
      <h2 id="facts">{words.facts}</h2>
      <table className="figures figures--texts small tabular" aria-labelledby="facts">
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
