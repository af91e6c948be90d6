import { callWork, type FoundCall, type ListedCall, type RequestOf } from "@vitaline/contract";
import { useRef, useState } from "react";
import { call } from "../../../lib/api/call.ts";

export type CallSearch = RequestOf<typeof callWork.searchCalls>["body"];

export type SearchState = {
  asked: CallSearch;
  found: FoundCall[];
  /** The calls gone through so far, of about `total`. */
  read: number;
  total: number | null;
  next: string | null;
  isRunning: boolean;
  error?: unknown;
};

/** A search goes on by itself until it has found this many more, and then waits to be asked. */
const foundAtOnce = 20;

/** A search by number or words. The typed text is kept in memory alone. */
export const useCallSearch = () => {
  const [state, setState] = useState<SearchState>();
  const run = useRef(0);

  const goOn = async (from: SearchState): Promise<void> => {
    const own = (run.current += 1);
    const isOwn = (): boolean => run.current === own;
    let now: SearchState = { ...from, isRunning: true, error: undefined };
    setState(now);
    try {
      do {
        const body = { ...now.asked, ...(now.next === null ? {} : { cursor: now.next }) };
        const answer = await call(callWork.searchCalls, { body });
        if (!isOwn()) return;
        now = {
          ...now,
          found: [...now.found, ...answer.found],
          read: now.read + answer.read,
          total: now.total ?? answer.total,
          next: answer.next,
        };
        setState(now);
      } while (now.next !== null && now.found.length < from.found.length + foundAtOnce);
      setState({ ...now, isRunning: false });
    } catch (error) {
      if (isOwn()) setState({ ...now, isRunning: false, error });
    }
  };

  return {
    state,
    search: (asked: CallSearch): Promise<void> => goOn({ asked, found: [], read: 0, total: null, next: null, isRunning: true }),
    goOn: (): void => void (state && goOn(state)),
    stop: (): void => {
      run.current += 1;
      setState((now) => now && { ...now, isRunning: false });
    },
    close: (): void => {
      run.current += 1;
      setState(undefined);
    },
    replace: (changed: ListedCall): void =>
      setState((now) => now && { ...now, found: now.found.map((one) => (one.call.id === changed.id ? { ...one, call: changed } : one)) }),
  };
};
