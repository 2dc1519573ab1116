import { type WelcomeDeed, welcomeDeeds } from '../../src/protocol/sessionsPage';
import { welcomeWords as words } from '../words/sessions';

/** Shown if there are no sessions. */
export function Welcome({ onPress }: { readonly onPress: (deed: WelcomeDeed) => void }) {
  return (
    <div className="welcome stack gap-10">
      <h2>{words.title}</h2>
      <p className="muted">{words.text}</p>
      {welcomeDeeds.map((deed, index) => (
        <button
          key={deed}
          type="button"
          className={`welcome__button bare${index === 0 ? ' welcome__button--primary' : ''}`}
          onClick={() => onPress(deed)}
        >
          {words[deed]}
        </button>
      ))}
    </div>
  );
}
