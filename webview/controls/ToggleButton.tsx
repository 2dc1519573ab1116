import type { ReactNode } from 'react';

/** A small toggle button. */
export function ToggleButton({
  name,
  isOn,
  onChange,
  children,
}: {
  /** The accessible name and the tooltip. */
  readonly name: string;
  readonly isOn: boolean;
  readonly onChange: (isOn: boolean) => void;
  readonly children: ReactNode;
}) {
  return (
    <button
      type="button"
      className="toggle-button bare pressable switch rigid small"
      aria-label={name}
      aria-pressed={isOn}
      title={name}
      onClick={() => onChange(!isOn)}
    >
      {children}
    </button>
  );
}
