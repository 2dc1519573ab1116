import { type RefObject, useEffect, useRef } from 'react';

/** Shows a dialog above everything else. Escape and a press outside close it. */
export function useModal(close: () => void): RefObject<HTMLDialogElement | null> {
  const dialog = useRef<HTMLDialogElement>(null);
  const latest = useRef(close);
  useEffect(() => {
    latest.current = close;
  });
  useEffect(() => {
    const { current } = dialog;
    if (current === null) {
      return undefined;
    }
    current.showModal();
    const onCancel = (event: Event): void => {
      event.preventDefault();
      latest.current();
    };
    // The ground around a dialog belongs to it.
    const onPress = ({ target, clientX, clientY }: PointerEvent): void => {
      const { left, right, top, bottom } = current.getBoundingClientRect();
      const isInside = clientX >= left && clientX <= right && clientY >= top && clientY <= bottom;
      if (target === current && !isInside) {
        latest.current();
      }
    };
    current.addEventListener('cancel', onCancel);
    current.addEventListener('pointerdown', onPress);
    return () => {
      current.removeEventListener('cancel', onCancel);
      current.removeEventListener('pointerdown', onPress);
      current.close();
    };
  }, []);
  return dialog;
}
