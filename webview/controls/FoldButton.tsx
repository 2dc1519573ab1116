export interface FoldButtonProps {
  /** The name of the foldable part. */
  readonly name: string;
  readonly isOpen: boolean;
  /** The id of the foldable part. */
  readonly controls: string;
  readonly onToggle: () => void;
}

/** Shows and hides a part of the page. */
export function FoldButton({ name, isOpen, controls, onToggle }: FoldButtonProps) {
  return (
    <button
      type="button"
      className="fold-button bare rigid pressable"
      aria-label={name}
      title={name}
      aria-expanded={isOpen}
      aria-controls={controls}
      onClick={onToggle}
    >
      <span className={`chevron chevron--${isOpen ? 'down' : 'right'}`} aria-hidden="true" />
    </button>
  );
}
