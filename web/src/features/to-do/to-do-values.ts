import type { ToDoChange, ToDoDetail } from "@vitaline/contract";
import * as z from "zod/mini";
import { changedFields } from "../../lib/forms/use-edit-form.ts";

export const maxNote = 500;

export type ToDoValues = { ownerId: string; note: string };

export const ToDoForm = z.object({
  ownerId: z.string(),
  note: z.string().check(z.trim(), z.maxLength(maxNote, `Must be at most ${maxNote} characters`)),
});

export const labels: Record<keyof ToDoValues, string> = { ownerId: "Owner", note: "Note" };
const names = ["ownerId", "note"] as const;

export const valuesOf = ({ owner, note }: Pick<ToDoDetail, "owner" | "note">): ToDoValues => ({
  ownerId: owner?.id ?? "",
  note: note ?? "",
});

/** Only what was changed, so that a colleague's change of the other field stays. */
export function changesTo(begun: ToDoDetail, typed: ToDoValues): Omit<ToDoChange, "done"> {
  const changed = changedFields(names, valuesOf(begun), typed);
  return {
    ...(changed.includes("ownerId") ? { ownerId: typed.ownerId || null } : {}),
    ...(changed.includes("note") ? { note: typed.note || null } : {}),
  };
}

export const differences = (begun: ToDoDetail, current: ToDoDetail): string[] => [
  ...changedFields(names, valuesOf(begun), valuesOf(current)).map((name) => labels[name]),
];
