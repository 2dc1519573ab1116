/** The part of js-yaml that is used; the package has no types. */
declare module 'js-yaml' {
  export const CORE_SCHEMA: unique symbol;
  export function load(text: string, options?: { readonly schema: unknown; readonly json: boolean }): unknown;
}
