/** Words for a screen reader, which does not see what the places and colours of a row mean. */
export function Spoken({ children }: { readonly children: string }) {
  return <span className="visually-hidden">, {children} </span>;
}
