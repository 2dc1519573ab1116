/** A longer copy with at least `least` elements, and half again as many as before, so that growing stays linear. */
export function enlarged<View extends { readonly length: number; set(source: View): void }>(
  type: new (length: number) => View,
  numbers: View,
  least: number,
): View {
  const larger = new type(Math.max(least, numbers.length + (numbers.length >> 1)));
  larger.set(numbers);
  return larger;
}
