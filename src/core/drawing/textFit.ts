import { firstWhere } from '../base/numbers';
import { cutText } from '../base/visibleText';

/** Cuts labels to a width in pixels. Each text is measured once; make a new fitter when the font changes. */
export interface TextFitter {
  width(text: string): number;
  /** The text, or its beginning with an ellipsis; empty if only a few letters would fit. */
  fit(text: string, width: number): string;
}

const ellipsis = '…';
const mostEntries = 20_000;
/** Minimum length of a beginning, in UTF-16 units. A shorter one would be meaningless. */
const shortestCut = 4;

export function createTextFitter(measure: (text: string) => number): TextFitter {
  const widths = new Map<string, number>();
  /** The latest cut of each text. */
  const cuts = new Map<string, { readonly pixels: number; readonly cut: string }>();
  const width = (text: string): number => {
    const known = widths.get(text);
    if (known !== undefined) {
      return known;
    }
    if (widths.size >= mostEntries) {
      widths.clear();
    }
    const measured = measure(text);
    widths.set(text, measured);
    return measured;
  };
  const cutTo = (text: string, available: number): string => {
    const room = available - width(ellipsis);
    const tooLong = firstWhere(1, text.length + 1, length => measure(text.slice(0, length)) > room);
    const cut = cutText(text, tooLong - 1);
    return cut.length < shortestCut ? '' : cut + ellipsis;
  };
  return {
    width,
    fit(text, available) {
      if (width(text) <= available) {
        return text;
      }
      // Rounded to whole pixels, so that small changes of the width do not cut the label again.
      const pixels = Math.floor(available);
      const known = cuts.get(text);
      if (known?.pixels === pixels) {
        return known.cut;
      }
      if (cuts.size >= mostEntries) {
        cuts.clear();
      }
      const cut = cutTo(text, pixels);
      cuts.set(text, { pixels, cut });
      return cut;
    },
  };
}
