import { type TextFitter, createTextFitter } from '../../src/core/drawing/textFit';

/** Measures text in a font of the page, as CSS writes it. */
export function textFitterFor(font: string): TextFitter {
  const pen = document.createElement('canvas').getContext('2d');
  if (pen === null) {
    return createTextFitter(text => text.length * 6);
  }
  pen.font = font;
  return createTextFitter(text => pen.measureText(text).width);
}
