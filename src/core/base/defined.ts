/** An object with the members that may be `undefined` as members that may be absent. */
type Defined<Members> = {
  [Name in keyof Members as undefined extends Members[Name] ? never : Name]: Members[Name];
} & {
  [Name in keyof Members as undefined extends Members[Name] ? Name : never]?: Exclude<
    Members[Name],
    undefined
  >;
};

/** The members of an object that are not `undefined`. Makes a copy, so do not use it for every block or line. */
export function defined<Members extends object>(members: Members): Defined<Members>;
export function defined(members: object): object {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}
