/** A diamond for private, a triangle for restricted. `sensitivity` is an index into sensitivityLabels. */
export function Sign({ sensitivity }: { readonly sensitivity: number }) {
  if (sensitivity === 0) {
    return undefined;
  }
  return (
    <svg
      className={`sign sign--${sensitivity === 2 ? 'restricted' : 'private'}`}
      viewBox="0 0 10 10"
      width="9"
      height="9"
      aria-hidden="true"
    >
      <path d={sensitivity === 2 ? 'M5 0.5 L9.5 9 L0.5 9 Z' : 'M5 0 L10 5 L5 10 L0 5 Z'} />
    </svg>
  );
}
