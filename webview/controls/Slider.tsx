import { useId } from 'react';

export interface SliderProps {
  readonly label: string;
  /** The accessible name of the number field. */
  readonly valueName: string;
  readonly value: number;
  readonly maximum: number;
  readonly step: number;
  readonly onChange: (value: number) => void;
}

/** A range with a number field for exact values. The toolkit has neither control. */
export function Slider({ label, valueName, value, maximum, step, onChange }: SliderProps) {
  const id = useId();
  const change = (text: string): void => {
    const entered = Number(text);
    if (text !== '' && Number.isSafeInteger(entered) && entered >= 0) {
      onChange(entered);
    }
  };
  return (
    <div className="slider">
      <label htmlFor={id}>{label}</label>
      <input
        className="slider__range"
        id={id}
        type="range"
        min={0}
        max={Math.max(maximum, value)}
        step={step}
        value={value}
        onChange={({ target }) => change(target.value)}
      />
      <input
        className="slider__number input"
        type="number"
        min={0}
        step={step}
        value={value}
        aria-label={valueName}
        onChange={({ target }) => change(target.value)}
      />
    </div>
  );
}
