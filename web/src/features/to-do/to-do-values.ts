import type { ToDoChange, ToDoDetail } from "@vitaline/contract";
import * as z from "zod/mini";
import { instantOf, minuteIn } from "../../lib/format/zone-day.ts";
import { changedFields } from "../../lib/forms/use-edit-form.ts";

export const maxNote = 500;

/** `dueAt`: in the organization's time zone, as "2026-11-22T15:14". */
export type ToDoValues = { ownerId: string; dueAt: string; note: string };

export const ToDoForm = z.object({
  ownerId: z.string(),
  dueAt: z.string().check(z.regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d$/, "Enter a date and a time")),
  note: z.string().check(z.trim(), z.maxLength(maxNote, `Must be at most ${maxNote} characters`)),
});

export const labels: Record<keyof ToDoValues, string> = { ownerId: "Owner", dueAt: "Due", note: "Note" };
const names = ["ownerId", "dueAt", "note"] as const;

/** What the form of an item in a time zone begins with, sends, and tells of a colleague's change. */
export const toDoValues = (timeZone: string) => {
  const valuesOf = ({ owner, dueAt, note }: Pick<ToDoDetail, "owner" | "dueAt" | "note">): ToDoValues => ({
    ownerId: owner?.id ?? "",
    dueAt: minuteIn(timeZone, dueAt),
    note: note ?? "",
  });
  /** Only what was changed, so that a colleague's change of another field stays, and the seconds of a due time. */
  const changesTo = (begun: ToDoDetail, typed: ToDoValues): Omit<ToDoChange, "done"> => {
    const changed = changedFields(names, valuesOf(begun), typed);
    return {
      ...(changed.includes("ownerId") ? { ownerId: typed.ownerId || null } : {}),
      ...(changed.includes("dueAt") ? { dueAt: instantOf(timeZone, typed.dueAt) } : {}),
      ...(changed.includes("note") ? { note: typed.note || null } : {}),
    };
  };
  const differences = (begun: ToDoDetail, current: ToDoDetail): string[] =>
    changedFields(names, valuesOf(begun), valuesOf(current)).map((name) => labels[name]);
  return { valuesOf, changesTo, differences };
};
