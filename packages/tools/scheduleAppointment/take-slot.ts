import { allDone, AppError, isAppError } from "@vitaline/core";
import type { Appointment, Schedule, Slot } from "fhir/r4.js";
import { patientOf, type Intent, type Run } from "../define-tool.ts";
import { isFor, requestOf, requestSystem, upcoming } from "./appointments.ts";
import type { Input } from "./input.ts";
import { dayFrom, instantIn, minutesFrom, requireSoon, startFrom } from "./local-time.ts";
import { findSchedules, idIn, readSchedule } from "./schedules.ts";

/** `near` is the time that was wanted, as far as it is known: others are offered from there on. */
export type Taken = { taken: true; near?: Date; slotId?: string };
/** The patient has this very time already. */
export type Held = { held: Appointment };
type Wish = Pick<Input, "slotId" | "start" | "date" | "time" | "practitioner" | "service">;

const undone = new Set<Appointment["status"]>(["cancelled", "noshow", "entered-in-error"]);
const minuteMs = 60_000;

/**
 * Books the wished slot for the verified patient, once: what an earlier try of the same request has booked is found, not made again.
 * The slot is locked for this request before it is looked at, in this EHR and for all tenants. Throws `ehr_unknown_outcome` with the
 * lock kept, and `in_progress` while the same request, delivered twice, is at it in another environment.
 */
export async function takeSlot(run: Run, wish: Wish, intent: Intent): Promise<Appointment | Taken | Held> {
  const { ehr } = run;
  const [mine, wished] = await allDone([upcoming(run), wishedSlot(run, wish)]);
  const own = mine.find((one) => requestOf(one) === run.requestKey);
  if (own) return own;
  const held = holder(mine, wished);
  if (held) return { held };
  if (!wished.slotId) return { taken: true, ...(wished.near ? { near: wished.near } : {}) };
  const { slotId } = wished;
  const owner = run.requestKey;
  const taken = (near: Date | undefined): Taken => ({ taken: true, slotId, ...(near ? { near } : {}) });
  const lock = await ehr.lockSlot(slotId, owner, run.triedBy);
  if (lock === "busy") throw new AppError("in_progress", "The same request is being worked on.");
  if (lock === "theirs") return taken(wished.near);
  let near = wished.near;
  try {
    const slot = await ehr.read<Slot>("Slot", slotId, { signal: run.signal });
    near = new Date(slot.start);
    if (slot.status !== "free" || near.getTime() <= run.ctx.clock().getTime()) throw new AppError("slot_taken", "The slot is not free.");
    const schedule = await readSchedule(run, idIn(slot.schedule.reference, "Schedule"));
    run.intend(intent);
    const wanted = appointmentFor(run, slot, schedule);
    const ifNoneExist = `identifier=${requestSystem}|${run.requestKey}`;
    const made = await ehr.create<Appointment>(wanted, { signal: run.writeSignal(), ifNoneExist });
    // The same wish was granted before and called off since.
    return undone.has(made.status) ? await ehr.create<Appointment>(wanted, { signal: run.writeSignal() }) : made;
  } catch (error) {
    const unknown = isAppError(error, "ehr_unknown_outcome");
    const made = unknown || isAppError(error, "slot_taken", "ehr_conflict") ? await findMade(run).catch(() => undefined) : undefined;
    if (made) return made;
    if (unknown) throw error;
    await ehr.releaseSlot(slotId, owner);
    if (isAppError(error, "slot_taken", "ehr_conflict", "ehr_not_found")) return taken(near);
    throw error;
  }
}

/** By its slot, or by its time where no slot is free then. */
const holder = (mine: Appointment[], { slotId, near }: { slotId?: string; near?: Date }): Appointment | undefined =>
  mine.find(({ slot = [], start = "" }) =>
    slotId === undefined
      ? near !== undefined && Date.parse(start) === near.getTime()
      : slot.some(({ reference }) => idIn(reference, "Slot") === slotId),
  );

/** The appointment that this very request has made, now or earlier. */
export async function findMade(run: Run): Promise<Appointment | undefined> {
  const patientId = patientOf(run);
  const known = (await run.ehr.capability({ signal: run.signal })).searchParams("Appointment").includes("identifier");
  const params: Record<string, string> = known ? { identifier: `${requestSystem}|${run.requestKey}` } : { patient: `Patient/${patientId}` };
  const found = await run.ehr.search<Appointment>("Appointment", params, { signal: run.signal });
  return found.find(
    (one) => one.resourceType === "Appointment" && requestOf(one) === run.requestKey && isFor(one, patientId) && !undone.has(one.status),
  );
}

/** The slot by its id, or a free one that starts at the wished time. AppError `invalid_arguments` for a time that is none. */
async function wishedSlot(run: Run, wish: Wish): Promise<{ slotId?: string; near?: Date }> {
  if (wish.slotId) return { slotId: idIn(wish.slotId, "Slot") ?? wish.slotId };
  const start = wishedStart(run, wish);
  if (!start) throw new AppError("invalid_arguments", "The time is not understood.", { fields: { appointmentTime: "with day and hour" } });
  requireSoon(run, start, "appointmentTime");
  const until = new Date(start.getTime() + minuteMs);
  const someone = wish.practitioner !== undefined || wish.service !== undefined;
  const schedules = someone ? await findSchedules(run, wish) : [];
  if (someone && schedules.length === 0) return { near: start };
  const params = {
    status: "free",
    start: [`ge${start.toISOString()}`, `lt${until.toISOString()}`],
    ...(someone ? { schedule: schedules.map(({ id }) => `Schedule/${id}`).join(",") } : {}),
  };
  const slots = await run.ehr.search<Slot>("Slot", params, { signal: run.signal, maxResources: 50 });
  const free = slots.find((slot) => slot.resourceType === "Slot" && slot.status === "free" && Date.parse(slot.start) === start.getTime());
  return { near: start, ...(free?.id ? { slotId: free.id } : {}) };
}

function wishedStart({ ctx, tenant: { timeZone } }: Run, { start, date, time }: Wish): Date | undefined {
  if (start) return startFrom(start, timeZone);
  const day = date && dayFrom(date, timeZone, ctx.clock());
  const minutes = time === undefined ? undefined : minutesFrom(time);
  return day && minutes !== undefined ? instantIn(timeZone, day, minutes) : undefined;
}

const appointmentFor = (run: Run, { id, start, end, serviceType }: Slot, schedule: Schedule | undefined): Appointment => ({
  resourceType: "Appointment",
  status: "booked",
  identifier: [{ system: requestSystem, value: run.requestKey }],
  slot: [{ reference: `Slot/${id}` }],
  start,
  end,
  ...(serviceType ? { serviceType } : {}),
  participant: [
    { actor: { reference: `Patient/${patientOf(run)}` }, status: "accepted" },
    ...(schedule?.actor ?? []).map((actor) => ({ actor, status: "accepted" as const })),
  ],
});
