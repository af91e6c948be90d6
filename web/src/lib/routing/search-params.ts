import { useState } from "react";
import { useSearchParams } from "react-router-dom";

export const isRecordId = (text: string | null | undefined): text is string => /^[0-9a-z]{26}$/.test(text ?? "");

/** undefined or "" removes a value. Other values stay. */
type Values = Readonly<Record<string, string | undefined>>;

const withValues = (before: URLSearchParams, values: Values): URLSearchParams => {
  const after = new URLSearchParams(before);
  for (const [name, value] of Object.entries(values))
    if (value) after.set(name, value);
    else after.delete(name);
  return after;
};

/**
 * The address's query. `go` adds a history entry, `replace` does not. Both take all values of a change at once: two changes at
 * the same moment would overwrite each other.
 */
export const useSearchValues = () => {
  const [search, setSearch] = useSearchParams();
  return {
    search,
    go: (values: Values): void => setSearch((before) => withValues(before, values)),
    replace: (values: Values): void => setSearch((before) => withValues(before, values), { replace: true }),
  };
};

/** One value of the address's query; undefined removes it. */
export const useSearchValue = (name: string): [value: string | undefined, set: (value: string | undefined) => void] => {
  const { search, replace } = useSearchValues();
  return [search.get(name) ?? undefined, (value) => replace({ [name]: value })];
};

/**
 * A search text in the address, updated shortly after typing. An email address is not stored: addresses appear in histories and
 * logs.
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
