import type { LogFields } from "@vitaline/core";
import { expect, test } from "vitest";
import { logBacklog } from "./backlog.ts";

const foundAt = (now: string, dueAts: string[]): LogFields | undefined => {
  const lines: (LogFields | undefined)[] = [];
  logBacklog({ clock: () => new Date(now), log: (_level, _event, fields) => void lines.push(fields) }, "remind", dueAts);
  return lines[0];
};

test("A03: a backlog is as old as its oldest due row, and none is no silence", () => {
  const now = "2030-01-01T10:00:00.000Z";
  expect(foundAt(now, ["2030-01-01T09:50:00.000Z", "2030-01-01T09:40:00.000Z"])).toEqual({ operation: "remind", ageSeconds: 1200 });
  expect(foundAt(now, [])).toEqual({ operation: "remind", ageSeconds: 0 });
  expect(foundAt(now, ["2030-01-01T10:00:30.000Z"])).toEqual({ operation: "remind", ageSeconds: 0 });
});
