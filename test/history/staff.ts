import { changeToDo, listToDo } from "@vitaline/tasks";
import type { ToDo } from "@vitaline/contract";
import { hashText, seededRandom } from "../../packages/sandbox-ehr/seed/patients.ts";
import type { DemoClock } from "./clock.ts";
import type { Job } from "./job.ts";
import { asAdmin } from "./contexts.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** What came up in the last days is still open, and little of what is older. */
const openDays = 2;
const leftShare = 0.03;
const notes = ["Called back, all set.", "Left a message.", "Spoke with the caller.", "Passed on to the care team.", undefined, undefined];

/** The clinic's administrator works through the list of the past, in the order in which it came up. */
export async function workThroughList(job: Job, clock: DemoClock, startMs: number): Promise<number> {
  const found: ToDo[] = [];
  for (let cursor: string | undefined, isFirst = true; isFirst || cursor !== undefined; isFirst = false) {
    const { rows, next } = await listToDo(asAdmin(job, clock), { limit: 200, ...(cursor === undefined ? {} : { cursor }) });
    found.push(...rows);
    cursor = next;
  }
  const past = found
    .filter(({ kind, createdAt }) => kind !== "connection" && Date.parse(createdAt) < startMs - openDays * dayMs)
    .map((item) => ({ item, random: seededRandom(hashText(`${item.callId} ${item.kind}`)) }))
    .filter(({ random }) => random() >= leftShare)
    .map(({ item, random }) => ({ item, random, doneMs: Date.parse(item.createdAt) + hourMs * (0.3 + 20 * random() ** 2) }))
    .toSorted((a, b) => a.doneMs - b.doneMs);
  for (const { item, random, doneMs } of past) {
    clock.set(doneMs);
    const note = notes[Math.floor(random() * notes.length)];
    await changeToDo(asAdmin(job, clock), item.id, { done: true, ...(note === undefined ? {} : { note }) });
  }
  return past.length;
}
