/** A value that is created on first use, such as a number formatter: the first one of a process takes 8 ms. */
export function lazy<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => (made ??= { value: make() }).value;
}
