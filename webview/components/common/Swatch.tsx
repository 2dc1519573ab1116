export interface SwatchProps {
  readonly label: string;
  readonly kind?: 'fill' | 'dashed' | 'line' | 'dashedLine' | 'frozen' | 'hatched' | 'corner';
  readonly colour?: string;
  readonly stroke?: string | undefined;
}

/** A sample of a drawing style, with its name. */
export function Swatch({ label, kind = 'fill', colour, stroke }: SwatchProps) {
  return (
    <span className="swatch">
      <span
        className={`swatch__sample swatch__sample--${kind}`}
        style={{ background: kind === 'fill' ? colour : undefined, borderColor: stroke }}
      />
      {label}
    </span>
  );
}
