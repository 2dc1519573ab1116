import { useEffect, useRef, useState } from 'react';
import { translate } from '../../../src/core/base/translate';
import type { DoorCommand } from '../../../src/protocol/door';
import { doorPaths, usageAddress } from '../../../src/protocol/doorAddresses';
import { PlainButton } from './PlainButton';
import { IconButton, type IconButtonProps } from '../../controls/IconButton';
import type { MenuItem } from '../doorApi';
import { chooseTheme, chosenTheme, type ThemeChoice, themeChoices } from '../theme';
import { Dialogs } from './Dialogs';
import { type MainPage, programName } from './mainPage';
import { openMenu } from './questions';

const themeNames: Readonly<Record<ThemeChoice, string>> = {
  system: translate('Like the System'),
  dark: translate('Dark'),
  light: translate('Light'),
  highContrast: translate('Dark High Contrast'),
  highContrastLight: translate('Light High Contrast'),
};

/** In a narrower window, the list and the page are shown one at a time. */
const narrow = '(width < 760px)';
const listKey = 'list';

/** The list of sessions beside the page that the user opened, and a bar like VS Code's. */
export function FramePage({ main }: { readonly main: MainPage }) {
  const { address, title, path, isDrawn } = main.use();
  const [isNarrow, setNarrow] = useState(() => matchMedia(narrow).matches);
  const [isWanted, setWanted] = useState(() => sessionStorage.getItem(listKey) !== 'hidden');
  /** In a narrow window, the list goes as soon as a page is opened. */
  const [isOver, setOver] = useState(address === undefined);
  const list = useRef<HTMLIFrameElement>(null);
  const isListShown = isNarrow ? isOver : isWanted;

  useEffect(() => {
    const query = matchMedia(narrow);
    const follow = (): void => setNarrow(query.matches);
    query.addEventListener('change', follow);
    return () => query.removeEventListener('change', follow);
  }, []);
  useEffect(() => {
    main.listen(() => setOver(false));
  }, [main]);
  useEffect(() => {
    const { classList } = document.documentElement;
    classList.toggle('door--list', isListShown);
    classList.toggle('door--narrow', isNarrow);
  }, [isListShown, isNarrow]);

  const toggle = (): void => {
    setOver(!isListShown);
    if (!isNarrow) {
      setWanted(!isListShown);
      sessionStorage.setItem(listKey, isListShown ? 'hidden' : 'shown');
    }
  };
  const run = (command: DoorCommand): void => main.window?.door?.run(command);
  const runInList = (command: DoorCommand): void => list.current?.contentWindow?.door?.run(command);
  const isSession = path === doorPaths.session;

  return (
    <>
      <header className="door__bar row gap-2">
        <IconButton
          icon="sideBar"
          name={isListShown ? translate('Hide Sessions') : translate('Show Sessions')}
          isPressed={isListShown}
          onPress={toggle}
        />
        <h1 className="door__title grows ellipsis small">{title}</h1>
        <IconButton icon="graph" name={translate('Usage')} onPress={() => main.go(usageAddress('usage'))} />
        <IconButton
          icon="search"
          name={translate('Search in All Sessions')}
          onPress={() => main.go(usageAddress('search'))}
        />
        <MenuButton icon="theme" name={translate('Theme')} items={themeItems} />
        <MenuButton
          icon="more"
          name={translate('More Actions')}
          items={() => [...(isSession ? sessionItems(run) : []), ...openItems(runInList, isSession)]}
        />
      </header>
      <iframe
        ref={list}
        className="door__list"
        title={translate('Sessions')}
        src={isDrawn ? doorPaths.sessions : undefined}
        hidden={!isListShown}
      />
      {address === undefined && <Welcome run={runInList} showUsage={() => main.go(usageAddress('usage'))} />}
      <Dialogs />
    </>
  );
}

function Welcome({
  run,
  showUsage,
}: {
  readonly run: (command: DoorCommand) => void;
  readonly showUsage: () => void;
}) {
  return (
    <main className="message-page door__main">
      <h2 className="message-page__title">{programName}</h2>
      <p className="message-page__text muted">
        {translate('Choose a session in the list, or drop a transcript on it.')}
      </p>
      <div className="message-page__actions">
        <PlainButton onPress={() => run({ kind: 'open', what: 'any' })}>
          {translate('Open a Transcript…')}
        </PlainButton>
        <PlainButton onPress={() => run({ kind: 'open', what: 'example' })}>
          {translate('Open Example Session')}
        </PlainButton>
        <PlainButton onPress={showUsage}>{translate('Show Usage')}</PlainButton>
      </div>
    </main>
  );
}

/** A button that opens a menu below it. */
function MenuButton({
  icon,
  name,
  items,
}: Pick<IconButtonProps, 'icon' | 'name'> & { readonly items: () => readonly MenuItem[] }) {
  const button = useRef<HTMLButtonElement>(null);
  return (
    <IconButton
      ref={button}
      icon={icon}
      name={name}
      onPress={() => {
        const { current } = button;
        if (current !== null) {
          const { right, bottom } = current.getBoundingClientRect();
          openMenu({ name, x: right, y: bottom + 4, items: items(), back: () => current.focus() });
        }
      }}
    />
  );
}

function themeItems(): readonly MenuItem[] {
  const chosen = chosenTheme();
  return themeChoices.map(choice => ({
    label: themeNames[choice],
    isChecked: choice === chosen,
    run: () => chooseTheme(choice),
  }));
}

/** The menu of a transcript. VS Code has the same entries at the tab. */
function sessionItems(run: (command: DoorCommand) => void): readonly MenuItem[] {
  return [
    { label: translate('Open as Text'), run: () => run({ kind: 'openAsText' }) },
    { label: translate('Find in Texts and Names'), run: () => run({ kind: 'task', task: 'find' }) },
    { label: translate('Copy Link to Block'), run: () => run({ kind: 'task', task: 'copyLink' }) },
    { label: translate('Compare With…'), isApart: true, run: () => run({ kind: 'compare' }) },
    {
      label: translate('Export Pruned Copy…'),
      isApart: true,
      run: () => run({ kind: 'export', form: 'prunedCopy' }),
    },
    { label: translate('Export Report…'), run: () => run({ kind: 'export', form: 'html' }) },
    { label: translate('Export Drawing as SVG…'), run: () => run({ kind: 'export', form: 'svg' }) },
    {
      label: translate('Export Prompt IR and Rendered Context…'),
      run: () => run({ kind: 'export', form: 'json' }),
    },
    { label: translate('Export Anonymised Twin…'), run: () => run({ kind: 'export', form: 'twin' }) },
    { label: translate('Hand Off to…'), run: () => run({ kind: 'task', task: 'handOff' }) },
    {
      label: translate('Show Keyboard Shortcuts'),
      isApart: true,
      run: () => run({ kind: 'task', task: 'showKeys' }),
    },
  ];
}

function openItems(run: (command: DoorCommand) => void, isApart: boolean): readonly MenuItem[] {
  return [
    { label: translate('Open a Transcript…'), isApart, run: () => run({ kind: 'open', what: 'any' }) },
    { label: translate('Open Example Session'), run: () => run({ kind: 'open', what: 'example' }) },
  ];
}
