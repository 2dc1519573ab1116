import { createRoot } from 'react-dom/client';
import { translate } from '../../../src/core/base/translate';
import { doorPaths } from '../../../src/protocol/doorAddresses';
import { type Frame, frameEvent, mainId, pageId } from '../doorApi';
import { Dialogs } from './Dialogs';
import { FramePage } from './FramePage';
import './frame.css';
import { MainPage } from './mainPage';
import { addQuestion, openMenu, removeQuestions, updateQuestion } from './questions';

// The frame around the pages of the local server; in a page without it, only the dialogs.

const page = document.getElementById(pageId);
const place = document.getElementById(mainId);
const main = page instanceof HTMLIFrameElement && place !== null ? new MainPage(page, place) : undefined;

const frame: Frame = {
  ask: addQuestion,
  tell: updateQuestion,
  end: removeQuestions,
  endAll: removeQuestions,
  showMenu: (owner, { x, y }, items) => {
    const { left, top } =
      owner === window
        ? { left: 0, top: 0 }
        : (owner.frameElement?.getBoundingClientRect() ?? { left: 0, top: 0 });
    openMenu({ name: translate('Session'), x: x + left, y: y + top, items, back: () => owner.focus() });
  },
  go: (_, address, isBeside) => {
    if (isBeside) {
      window.open(`${doorPaths.start}#${address}`, '_blank', 'noopener');
    } else {
      main?.go(address);
    }
  },
  noteDrawn: owner => {
    if (owner === main?.window) {
      main.noteDrawn();
    }
  },
  noteTitle: (owner, title) => {
    if (owner === main?.window) {
      main.noteTitle(title);
    }
  },
};
window.doorFrame = frame;
window.dispatchEvent(new Event(frameEvent));

const root = document.createElement('div');
root.className = 'door-dialogs';
const own = document.getElementById('root');
if (main !== undefined && own !== null) {
  createRoot(own).render(<FramePage main={main} />);
} else {
  document.body.append(root);
  createRoot(root).render(<Dialogs />);
}
