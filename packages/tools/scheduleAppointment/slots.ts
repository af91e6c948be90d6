import { allDone, AppError, isAppError } from "@vitaline/core";
import type { SearchParams } from "@vitaline/fhir";
import type { Strategy } from "@vitaline/fhir-providers";
import type { Appointment, Schedule, Slot } from "fhir/r4.js";
import { patientOf, type Run } from "../define-tool.ts";
import { requestSystem } from "../request-key.ts";
import { refuseAnothers } from "../subject.ts";
import { actorsOf, isUndone, keepsMarks } from "./appointments.ts";
import type { Calendar, Whom, Window } from "./calendar.ts";
import { callMark } from "./how-many.ts";
import type { OpenSlot } from "./output.ts";
import { idIn } from "../references.ts";
import { findSchedules, placeOf, readSchedule, unknownOf } from "./schedules.ts";
import { serviceName } from "./services.ts";

const maxSlots = 200;

/** Free times are Slots, and an Appointment that names one takes it. */
export const slotCalendar = (strategy: Strategy): Calendar => ({
  offers: async (run, whom, window, wanted) => (await freeSlots(run, whom, window, strategy)).filter(wanted),
  unknown: unknownOf,
  async look(run, slotId) {
    const { ehr, signal } = run;
    const slot = await ehr.read<Slot>("Slot", slotId, { signal });
    const start = new Date(slot.start);
    if (slot.status !== "free" || start.getTime() <= run.ctx.clock().getTime()) throw new AppError("slot_taken", "The slot is not free.");
    const [schedule, held] = await allDone([
      readSchedule(run, idIn(slot.schedule.reference, "Schedule")),
      isHeld(run, { ...slot, id: slotId }, strategy),
    ]);
    if (held) throw new AppError("slot_taken", "An appointment holds the slot.");
    return { start, end: new Date(slot.end), take: () => post(run, slot, schedule, strategy) };
  },
});

/**
 * Whether an appointment names the slot: some servers never make a slot busy. One that does not tell appointments by their slots, or
 * refuses to, has to know itself what is free.
 */
async function isHeld({ ehr, signal }: Run, { id, start, end }: Slot, { slotRules }: Strategy): Promise<boolean> {
  const { supports, searchParams } = await ehr.capability({ signal });
  if (slotRules === "strict" || !supports("Appointment", "search-type") || !searchParams("Appointment").includes("slot")) return false;
  // Before R4 no server is asked for slots, so they are sorted out here, of what there is at that time.
  const date = ehr.fhirVersion === "R4" ? undefined : [`ge${new Date(start).toISOString()}`, `lt${new Date(end).toISOString()}`];
  const found = await ehr
    .search<Appointment>("Appointment", { slot: `Slot/${id}`, ...(date && { date }) }, { signal })
    .catch((error: unknown) => {
      if (isAppError(error, "ehr_forbidden", "ehr_unsupported", "ehr_invalid")) return [];
      throw error;
    });
  return found.some((one) => one.resourceType === "Appointment" && holds(one, id));
}

const holds = (one: Appointment, slotId: string | undefined): boolean =>
  !isUndone(one) && one.status !== "waitlist" && (one.slot ?? []).some(({ reference }) => idIn(reference, "Slot") === slotId);

async function freeSlots(run: Run, whom: Whom, { from, until }: Window, { slotRules }: Strategy): Promise<OpenSlot[]> {
  const { ehr, signal } = run;
  if (!(await ehr.capability({ signal })).supports("Slot", "search-type"))
    throw new AppError("ehr_unsupported", "The record system has no search for slots.");
  const start = [`ge${from.toISOString()}`, `lt${until.toISOString()}`];
  const params: SearchParams = slotRules === "strict" ? { start } : { start, status: "free", _sort: "start", _count: String(maxSlots) };
  const search = (more: Record<string, string>) => ehr.search<Slot>("Slot", { ...params, ...more }, { signal, maxResources: maxSlots });
  // What is asked of nobody in particular need not wait for the schedules, which then only say with whom a time is.
  const isOfAnybody = whom.practitioner === undefined && whom.service === undefined && slotRules === "open";
  const [{ open, closed }, early] = await allDone([findSchedules(run, whom), isOfAnybody ? search({}) : undefined]);
  const slots = early ?? (open.length > 0 ? await search({ schedule: open.map(({ id }) => `Schedule/${id}`).join(",") }) : []);
  const bySchedule = new Map(open.map((schedule) => [schedule.id, schedule]));
  return slots
    .filter(({ status, resourceType }) => resourceType === "Slot" && status === "free")
    .filter(({ schedule }) => !closed.has(idIn(schedule.reference, "Schedule")))
    .flatMap((slot) => offerOf(slot, bySchedule.get(idIn(slot.schedule.reference, "Schedule"))));
}

const offerOf = ({ id, start, end, serviceType }: Slot, schedule: Schedule | undefined): OpenSlot[] => {
  const service = serviceName(serviceType) ?? serviceName(schedule?.serviceType);
  return id === undefined ? [] : [{ slotId: id, start, end, ...placeOf(schedule?.actor ?? []), ...(service ? { service } : {}) }];
};

/** One request is enough: the slot's lock keeps our own callers apart until the appointment can be found by its slot. */
async function post(run: Run, slot: Slot, schedule: Schedule | undefined, strategy: Strategy): Promise<Appointment> {
  const { ehr, requestKey } = run;
  const wanted = appointmentFor(run, slot, schedule, strategy);
  const ifNoneExist = keepsMarks(strategy) ? `identifier=${requestSystem}|${requestKey}` : undefined;
  const made = await ehr.create<Appointment>(wanted, { signal: run.writeSignal(), ...(ifNoneExist && { ifNoneExist }) });
  refuseAnothers(run, actorsOf(made));
  // The same wish was granted before and called off since.
  const standing = ifNoneExist && isUndone(made) ? await ehr.create<Appointment>(wanted, { signal: run.writeSignal() }) : made;
  refuseAnothers(run, actorsOf(standing));
  return { start: slot.start, end: slot.end, ...standing };
}

/** Where that is a rule: one slot and one patient, and nothing that the server fills in itself. Source: Millennium FHIR R4, Appointment. */
function appointmentFor(run: Run, slot: Slot, schedule: Schedule | undefined, { booking, slotRules }: Strategy): Appointment {
  const isProposal = booking === "propose-only";
  const patient = { actor: { reference: `Patient/${patientOf(run)}` }, status: isProposal ? "needs-action" : "accepted" } as const;
  const bare: Appointment = {
    resourceType: "Appointment",
    status: isProposal ? "proposed" : "booked",
    slot: [{ reference: `Slot/${slot.id}` }],
    participant: [patient],
  };
  if (slotRules === "strict") return bare;
  const { start, end, serviceType } = slot;
  return {
    ...bare,
    identifier: [{ system: requestSystem, value: run.requestKey }, callMark(run)],
    start,
    end,
    ...(serviceType ? { serviceType } : {}),
    participant: [patient, ...(schedule?.actor ?? []).map((actor) => ({ actor, status: "accepted" as const }))],
  };
}
