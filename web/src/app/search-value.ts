import { useState } from "react";
import { useSearchParams } from "react-router-dom";

/** One value of the address's query: it outlives a reload and can be shared. undefined takes it away; the rest of the query stays. */
export const useSearchValue = (name: string): [value: string | undefined, set: (value: string | undefined) => void] => {
  const [search, setSearch] = useSearchParams();
  const set = (value: string | undefined): void =>
    setSearch(
      (before) => {
        const after = new URLSearchParams(before);
        if (value === undefined) after.delete(name);
        else after.set(name, value);
        return after;
      },
      { replace: true },
    );
  return [search.get(name) ?? undefined, set];
};

/** Such a value as somebody types it. The address follows a moment later, which a field that shows it must not wait for. */
export const useSearchText = (name: string): [text: string, set: (text: string) => void] => {
  const [begun, setValue] = useSearchValue(name);
  const [text, setText] = useState(begun ?? "");
  const set = (typed: string): void => {
    setText(typed);
    setValue(typed || undefined);
  };
  return [text, set];
};
