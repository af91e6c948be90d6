import { deterministicId } from "@vitaline/core";
import type { CallRow } from "./entities/calls.ts";

/** The id of a call's item in the list of work. Those of tasks and leads have the ids of these. */
export const toDoIdOfCall = ({ startedAt, callKey }: Pick<CallRow, "startedAt" | "callKey">): string =>
  deterministicId(Date.parse(startedAt), "to-do-of-call", callKey);
