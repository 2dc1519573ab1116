import { useSelected } from '../../state/store';
import { ActionMenu } from './ActionMenu';
import { LongText } from './LongText';
import { QuickPick } from './QuickPick';
import { frameStore } from './questions';
import { TextQuestion } from './TextQuestion';
import { Toasts } from './Toasts';

/** Everything that pages ask and tell the user, and the open menu. */
export function Dialogs() {
  const { questions, menu } = useSelected(frameStore, state => state);
  const closeMenu = (isChosen: boolean): void => {
    frameStore.update(state => ({ ...state, menu: undefined }));
    if (isChosen) {
      menu?.back();
    }
  };
  return (
    <>
      {questions.map(question => {
        const { key, shown } = question;
        switch (shown.type) {
          case 'choose':
            return <QuickPick key={key} question={question} shown={shown} />;
          case 'text':
            return <TextQuestion key={key} question={question} shown={shown} />;
          case 'longText':
            return <LongText key={key} question={question} shown={shown} />;
          case 'say':
          case 'progress':
            return null;
        }
      })}
      <Toasts questions={questions} />
      {menu !== undefined && (
        <div role="region" aria-label={menu.name}>
          <ActionMenu {...menu} onClose={closeMenu} />
        </div>
      )}
    </>
  );
}
