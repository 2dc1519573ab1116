/** Words for a screen reader, which does not see the meaning of a row's places and colours. */
export function Spoken({ children }: { readonly children: string }) {
  return <span className="visually-hidden">, {children} </span>;
}
