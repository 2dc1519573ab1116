export * from '../../node_modules/@microsoft/fast-web-utilities/dist/index.js';

/**
 * The library tests for `:focus-visible` with an inline style element, which the page's policy forbids and reports. VS
 * Code 1.100 and later always supports it, so esbuild.mjs replaces the library's module with this one.
 */
export function canUseFocusVisible(): boolean {
  return true;
}
