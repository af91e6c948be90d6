/**
 * A type without what can be added to every element of it, which the versions' types do not agree on: what is left of one version
 * can be told to fit another.
 */
export type Plain<T> = T extends (infer One)[]
  ? Plain<One>[]
  : T extends object
    ? { [K in keyof T as K extends `_${string}` | "extension" | "modifierExtension" | "contained" ? never : K]: Plain<T[K]> }
    : T;

/** Those of the elements that are there. Naming them keeps out whatever the other version does not know. */
export function pick<T extends object, K extends keyof T>(from: T, ...names: K[]): Pick<T, K> {
  return Object.fromEntries(names.flatMap((name) => (from[name] === undefined ? [] : [[name, from[name]]]))) as Pick<T, K>;
}

/** The first of a list, where the other version has room for one. */
export const first = <T>(list: T[] | undefined): T | undefined => list?.[0];
export const listOf = <T>(one: T | undefined): T[] | undefined => (one === undefined ? undefined : [one]);

/** Without what is undefined, as it would be sent. */
export function compact<T extends object>(from: T): T {
  return Object.fromEntries(Object.entries(from).filter(([, value]) => value !== undefined)) as T;
}
