import { useState } from "react";
import { useSearchParams } from "react-router-dom";

/** Whether a text, such as the address's, can be the id of something on this platform. */
export const isRecordId = (text: string | null | undefined): text is string => /^[0-9a-z]{26}$/.test(text ?? "");

/** By name; undefined or "" takes a value away, and those that are not named stay. */
type Values = Readonly<Record<string, string | undefined>>;

const withValues = (before: URLSearchParams, values: Values): URLSearchParams => {
  const after = new URLSearchParams(before);
  for (const [name, value] of Object.entries(values))
    if (value) after.set(name, value);
    else after.delete(name);
  return after;
};

/**
 * The address's query and the two ways to change it: `go` is a step that one can go back from, `replace` none. They take all values of a
 * change at once: of two changes at the same moment only the later one would stay.
 */
export const useSearchValues = () => {
  const [search, setSearch] = useSearchParams();
  return {
    search,
    go: (values: Values): void => setSearch((before) => withValues(before, values)),
    replace: (values: Values): void => setSearch((before) => withValues(before, values), { replace: true }),
  };
};

/** One value of the address's query: it outlives a reload and can be shared. undefined takes it away. */
export const useSearchValue = (name: string): [value: string | undefined, set: (value: string | undefined) => void] => {
  const { search, replace } = useSearchValues();
  return [search.get(name) ?? undefined, (value) => replace({ [name]: value })];
};

/**
 * Such a value as somebody types it. The address follows a moment later, which a field that shows it must not wait for. Somebody's email
 * address stays out of it: addresses are kept in histories and logs.
 */
export const useSearchText = (name: string): [text: string, set: (text: string) => void] => {
  const [begun, setValue] = useSearchValue(name);
  const [text, setText] = useState(begun ?? "");
  const set = (typed: string): void => {
    setText(typed);
    setValue(typed.includes("@") ? undefined : typed);
  };
  return [text, set];
};
