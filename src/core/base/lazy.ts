/** A value that is made when it is first asked for, such as a formatter, whose first one costs a process 8 ms. */
export function lazy<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => (made ??= { value: make() }).value;
}
