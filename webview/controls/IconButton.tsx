import type { Ref } from 'react';
import { Icon } from '../components/common/Icon';
import { type ControlIcon, controlIcons } from './icons';

export interface IconButtonProps {
  readonly icon: ControlIcon;
  /** The accessible name and the tooltip. */
  readonly name: string;
  readonly onPress: () => void;
  readonly disabled?: boolean;
  /** For a toggle button. */
  readonly isPressed?: boolean;
  readonly ref?: Ref<HTMLButtonElement>;
}

export function IconButton({ icon, name, onPress, disabled = false, isPressed, ref }: IconButtonProps) {
  return (
    <button
      ref={ref}
      type="button"
      className="icon-button bare rigid pressable"
      aria-label={name}
      aria-pressed={isPressed}
      title={name}
      disabled={disabled}
      onClick={onPress}
    >
      <Icon icon={controlIcons[icon]} size={16} />
    </button>
  );
}
