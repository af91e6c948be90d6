import { useRef, useState } from "react";
import { flushSync } from "react-dom";
import { type AuditFilters, defaultFilters } from "./audit-filters.ts";

/** The log whose detail is open. `narrow` closes it and searches for a text of it. */
export const useOpenedLog = <Log>({ timeRange, start, end }: AuditFilters, apply: (filters: AuditFilters) => void) => {
  const [opened, setOpened] = useState<Log>();
  const searchField = useRef<HTMLInputElement>(null);
  const narrow = (search: string): void => {
    // The row that opened the dialog may disappear, so focus moves to the search field.
    flushSync(() => setOpened(undefined));
    searchField.current?.focus();
    apply({ ...defaultFilters, timeRange, start, end, search });
  };
  return { opened, setOpened, searchField, narrow };
};
