import { type ListedCall, maxFollowUps } from "@vitaline/contract";
import { useState } from "react";

export type Selection = {
  has: (call: ListedCall) => boolean;
  toggle: (call: ListedCall) => void;
  isFull: boolean;
};

/** The calls that are to be followed up together: of those shown, and only while they need it. */
export const useSelection = (shown: readonly ListedCall[]) => {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  const open = shown.filter(({ needsFollowUp }) => needsFollowUp);
  const selected = open.filter(({ id }) => ids.has(id));
  const has = ({ id }: ListedCall): boolean => ids.has(id);
  return {
    open,
    selected,
    selection: {
      has,
      isFull: selected.length >= maxFollowUps,
      toggle: (call) =>
        setIds(() => {
          const kept = selected.map(({ id }) => id);
          return new Set(has(call) ? kept.filter((id) => id !== call.id) : [...kept, call.id]);
        }),
    } satisfies Selection,
    selectAll: (): void => setIds(new Set(open.slice(0, maxFollowUps).map(({ id }) => id))),
    clear: (): void => setIds(new Set()),
  };
};
