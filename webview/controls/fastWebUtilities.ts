export * from '../../node_modules/@microsoft/fast-web-utilities/dist/index.js';

/**
 * The library finds this out by an inline style element, which the page's policy forbids and reports. Every Chromium of
 * VS Code 1.100 and later knows `:focus-visible`. esbuild.mjs puts this module in the place of the library's.
 */
export function canUseFocusVisible(): boolean {
  return true;
}
