import { visibleText } from '../../../src/core/base/visibleText';
import type { CacheFinding } from '../../../src/core/cache/cacheFinding';
import { causeWords, certaintyText, diagnosisText, possibleText } from '../../../src/core/cache/causeWords';
import { remedyOf } from '../../../src/core/cache/remedy';
import { agreesWith } from '../../../src/core/cache/recordedCause';
import { comparisonWords as words } from '../../words/comparison';

/** The provider's record of a loss beside the cause that the transcript shows. */
export function CauseCards({
  finding,
  hasRemedy,
}: {
  readonly finding: CacheFinding;
  /** False if the remedy is shown elsewhere. */
  readonly hasRemedy: boolean;
}) {
  const { recorded, readable, read, causes, evidence, moneyLost, certainty } = finding;
  const possible = possibleText(finding);
  const remedy = hasRemedy ? remedyOf(finding) : undefined;
  const agreement = recorded === null ? undefined : agreesWith(recorded, causes[0]);
  return (
    <div className="comparison__sides comparison__cards">
      <section className="box stack gap-4" aria-label={words.recorded}>
        <h4 className="muted fine">{words.recorded}</h4>
        <p>
          {recorded === null ? (
            words.noVerdict
          ) : (
            <>
              <code className="code">{recorded.type}</code> {diagnosisText(recorded)}
            </>
          )}
        </p>
        <p className="muted">{words.readOf(read, readable)}</p>
      </section>
      <section className="box stack gap-4" aria-label={words.inferred}>
        <h4 className="muted fine">{words.inferred}</h4>
        <p className="strong">{causes.map(cause => causeWords[cause]).join(', ')}</p>
        <p className="muted">
          {certaintyText(finding)}
          {possible !== undefined && ` · ${possible}`}
          {agreement !== undefined && ` · ${agreement ? words.agrees : words.disagrees}`}
        </p>
        <ul className="bullets">
          {evidence.map(fact => (
            <li key={fact}>{visibleText(fact)}</li>
          ))}
        </ul>
      </section>
      {remedy !== undefined && (
        <section className="box comparison__remedy stack gap-4" aria-label={words.remedy}>
          <h4 className="row apart gap-12 fine">
            <span className="muted">{words.remedy}</span>
            {moneyLost !== undefined && (
              <span className="comparison__saved">
                {certainty === 'narrowed' ? words.mightHaveSaved(moneyLost) : words.wouldHaveSaved(moneyLost)}
              </span>
            )}
          </h4>
          <p className="strong">{remedy}</p>
        </section>
      )}
    </div>
  );
}
