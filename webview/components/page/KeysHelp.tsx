import { useEffect, useRef } from 'react';
import { Button } from '../../controls/Button';
import { useAppState, useInspector } from '../../state/inspector';
import { keyPlaces, keyRows, keyWords as words, writtenKeysOf } from '../../state/keyTable';
import { pageWords } from '../../words/page';

/** The keys of the page over it. The browser keeps the focus inside, closes it by Escape and returns the focus. */
export function KeysHelp() {
  const isShown = useAppState(({ keysShown }) => keysShown);
  const { showKeys } = useInspector();
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    if (isShown) {
      dialog.current?.showModal();
    } else {
      dialog.current?.close();
    }
  }, [isShown]);
  return (
    <dialog
      ref={dialog}
      className="keys popup"
      aria-labelledby="keys-title"
      data-testid="keys"
      onCancel={() => showKeys(false)}
      // The event comes a moment after the dialog has closed; by then a key may have opened it again.
      onClose={({ currentTarget }) => {
        if (!currentTarget.open) {
          showKeys(false);
        }
      }}
    >
      <div className="row wraps apart">
        <h1 className="keys__title" id="keys-title">
          {words.title}
        </h1>
        <Button appearance="icon" name={pageWords.close} onPress={() => showKeys(false)}>
          ✕
        </Button>
      </div>
      <div className="keys__lists">
        {keyPlaces.map(place => (
          <section key={place} className="stack gap-6" aria-labelledby={`keys-${place}`}>
            <h2 className="panel-title" id={`keys-${place}`}>
              {words.places[place]}
            </h2>
            <dl className="stack gap-6">
              {Object.entries(keyRows)
                .filter(([, row]) => row.place === place)
                .map(([name, row]) => (
                  <div key={name} className="keys__row">
                    <dt className="keys__keys row wraps gap-4">
                      {writtenKeysOf(row).map(key => (
                        <kbd key={key} className="keys__key">
                          {key}
                        </kbd>
                      ))}
                    </dt>
                    <dd>{row.does}</dd>
                  </div>
                ))}
            </dl>
          </section>
        ))}
      </div>
      <p className="muted">{words.others}</p>
    </dialog>
  );
}
