/**
 * An icon of `src/core/drawing/icons`, in the colour of the text around it. It has no accessible name, because its
 * neighbour has one.
 */
export function Icon({ icon, size = 14 }: { readonly icon: string; readonly size?: number }) {
  return (
    <svg className="icon" viewBox="0 0 16 16" width={size} height={size} aria-hidden="true">
      <path d={icon} fill="none" stroke="currentColor" strokeWidth="1.3" strokeLinejoin="round" />
    </svg>
  );
}
