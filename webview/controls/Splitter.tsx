import { type KeyboardEvent, type PointerEvent, useRef } from 'react';
import { clamp } from '../../src/core/base/numbers';

const keyStep = 16;

export interface SplitterProps {
  readonly name: string;
  /** The id of the pane to the right of the splitter or below it. */
  readonly controls: string;
  /** True if the pane is to the right of the splitter; false if below it. */
  readonly isBeside: boolean;
  /** The size of the pane in CSS pixels, its limits, and its size after a double click. */
  readonly size: {
    readonly value: number;
    readonly minimum: number;
    readonly maximum: number;
    readonly initial: number;
  };
  readonly onResize: (size: number) => void;
}

/** Resizes the pane after it: by dragging, or by the arrow keys, Home for the smallest size and End for the largest. */
export function Splitter({ name, controls, isBeside, size, onResize }: SplitterProps) {
  const { value, minimum, maximum, initial } = size;
  /** The size and the pointer's place when the dragging began. */
  const start = useRef({ value: 0, place: 0 });
  const resize = (wanted: number): void => {
    const next = clamp(Math.round(wanted), minimum, maximum);
    if (next !== value) {
      onResize(next);
    }
  };
  const placeOf = ({ clientX, clientY }: PointerEvent): number => (isBeside ? clientX : clientY);
  const onKeyDown = (event: KeyboardEvent): void => {
    const sizes: Readonly<Record<string, number>> = {
      [isBeside ? 'ArrowLeft' : 'ArrowUp']: value + keyStep,
      [isBeside ? 'ArrowRight' : 'ArrowDown']: value - keyStep,
      Home: minimum,
      End: maximum,
    };
    const wanted = sizes[event.key];
    if (wanted !== undefined) {
      event.preventDefault();
      resize(wanted);
    }
  };
  return (
    <div
      className={`splitter splitter--${isBeside ? 'beside' : 'below'}`}
      role="separator"
      tabIndex={0}
      title={name}
      aria-label={name}
      aria-controls={controls}
      aria-orientation={isBeside ? 'vertical' : 'horizontal'}
      aria-valuenow={value}
      aria-valuemin={minimum}
      aria-valuemax={maximum}
      onKeyDown={onKeyDown}
      onDoubleClick={() => resize(initial)}
      onPointerDown={event => {
        start.current = { value, place: placeOf(event) };
        event.currentTarget.setPointerCapture(event.pointerId);
      }}
      onPointerMove={event => {
        if (event.currentTarget.hasPointerCapture(event.pointerId)) {
          resize(start.current.value + start.current.place - placeOf(event));
        }
      }}
    />
  );
}
