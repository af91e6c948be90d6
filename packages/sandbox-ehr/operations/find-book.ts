import { randomUUID } from "node:crypto";
import type { Appointment, Bundle, BundleEntry, FhirResource, ParametersParameter, Slot } from "fhir/r4.js";
import { scheduleOf } from "../fhir/booking.ts";
import { momentRange } from "../store/clinic-time.ts";
import { type Call, Refusal, type Reply } from "../http/http.ts";
import { readParameters, type Server } from "../fhir/interactions.ts";
import { parseReference, type ResourceType, type Stored } from "../store/resource.ts";
import type { View } from "../store/store.ts";
import { checkReferences } from "../fhir/validate.ts";
import { putNew } from "../fhir/write.ts";

const maxProposals = 50;
/** Longer than a slot's id, so it cannot collide. Proposals are not stored: the id names the slot. */
const proposalPrefix = "proposal-";

/**
 * Epic's POST Appointment/$find: Parameters {patient (reference or resource), startTime, endTime, serviceType?, practitioner?,
 * location-reference?} to a Bundle of proposed Appointments by start, with their Slot, Schedule, Practitioner and Location as include
 * entries.
 */
export function find(server: Server, call: Call): Reply {
  const parameters = readParameters(call, [
    "patient",
    "startTime",
    "endTime",
    "serviceType",
    "practitioner",
    "location-reference",
    "indications",
  ]);
  const patient = openChart(server.store, parameters.get("patient"));
  const [from, to] = [moment(parameters, "startTime"), moment(parameters, "endTime")];
  const actors = ["practitioner", "location-reference"].flatMap(
    (name) => parseReference(parameters.get(name)?.valueReference?.reference)?.id ?? [],
  );
  const services = parameters.get("serviceType")?.valueCodeableConcept?.coding?.map(({ code }) => code);
  const slots = freeSlots(server.store, Math.max(from, server.now().getTime()), to)
    .filter((slot) => actors.every((id) => actorsOf(server.store, slot).some((actor) => parseReference(actor.reference)?.id === id)))
    .filter(
      ({ serviceType = [] }) => !services || serviceType.some(({ coding = [] }) => coding.some(({ code }) => services.includes(code))),
    )
    .slice(0, maxProposals);
  const entry = [
    ...slots.map((slot) => entryOf(server, proposal(server.store, slot, patient), "match")),
    ...placesOf(server.store, slots).map((resource) => entryOf(server, resource, "include")),
  ];
  return searchset(slots.length, entry);
}

/**
 * Epic's POST Appointment/$book: Parameters {patient, appointment (reference to a proposal, or the proposal), appointmentNote?} to a
 * Bundle with the booked Appointment. A taken slot is a 409.
 */
export async function book(server: Server, call: Call): Promise<Reply> {
  const parameters = readParameters(call, ["patient", "appointment", "appointmentNote"]);
  const patient = openChart(server.store, parameters.get("patient"));
  const asked = parameters.get("appointment");
  const sent = asked?.resource?.resourceType === "Appointment" ? (asked.resource as Appointment) : undefined;
  const id = sent?.id ?? parseReference(asked?.valueReference?.reference)?.id ?? "";
  const slot = id.startsWith(proposalPrefix) ? server.store.get("Slot", id.slice(proposalPrefix.length)) : undefined;
  if (!slot) throw new Refusal(422, "business-rule", "The appointment was not proposed by $find");
  const note = parameters.get("appointmentNote")?.valueString;
  const wanted: Appointment = {
    resourceType: "Appointment",
    status: "booked",
    slot: [{ reference: `Slot/${slot.id}` }],
    participant: [{ actor: { reference: `Patient/${patient.id}` }, status: "accepted" }],
    ...(sent?.identifier && { identifier: sent.identifier }),
    ...(note && { comment: note }),
  };
  const draft = server.store.begin();
  const booked = putNew(draft, "Appointment", wanted, server.now(), randomUUID());
  checkReferences(draft, booked);
  await draft.commit();
  return searchset(1, [entryOf(server, booked, "match")]);
}

function openChart(view: View, parameter: ParametersParameter | undefined): Stored<"Patient"> {
  const id =
    parameter?.resource?.resourceType === "Patient" ? parameter.resource.id : parseReference(parameter?.valueReference?.reference)?.id;
  const patient = id ? view.get("Patient", id) : undefined;
  if (!patient) throw new Refusal(422, "not-found", 'The parameter "patient" names an unknown patient');
  if (patient.active === false || patient.deceasedBoolean) throw new Refusal(422, "business-rule", "This chart is closed");
  return patient;
}

function moment(parameters: Map<string, ParametersParameter>, name: string): number {
  const at = momentRange(parameters.get(name)?.valueDateTime ?? "")?.from;
  if (at === undefined) throw new Refusal(400, "required", `The parameter "${name}" must be a dateTime`);
  return at;
}

function freeSlots(view: View, from: number, to: number): Stored<"Slot">[] {
  return view
    .all("Slot")
    .filter(({ status, start }) => status === "free" && Date.parse(start) >= from && Date.parse(start) < to)
    .sort((a, b) => Date.parse(a.start) - Date.parse(b.start));
}

function proposal(view: View, slot: Stored<"Slot">, patient: Stored<"Patient">): Appointment {
  return {
    resourceType: "Appointment",
    id: `${proposalPrefix}${slot.id}`,
    status: "proposed",
    start: slot.start,
    end: slot.end,
    minutesDuration: (Date.parse(slot.end) - Date.parse(slot.start)) / 60_000,
    slot: [{ reference: `Slot/${slot.id}` }],
    ...(slot.serviceType && { serviceType: slot.serviceType }),
    participant: [
      { actor: { reference: `Patient/${patient.id}` }, status: "needs-action" },
      ...actorsOf(view, slot).map((actor) => ({ actor, status: "needs-action" as const })),
    ],
  };
}

const actorsOf = (view: View, slot: Slot) => scheduleOf(view, slot)?.actor ?? [];

function placesOf(view: View, slots: Stored<"Slot">[]): Stored[] {
  const schedules = [...new Set(slots.flatMap((slot) => scheduleOf(view, slot) ?? []))];
  const actors = schedules.flatMap(({ actor }) => actor.flatMap(({ reference }) => parseReference(reference) ?? []));
  return [...new Set([...slots, ...schedules, ...actors.flatMap(({ type, id }) => view.get(type as ResourceType, id) ?? [])])];
}

const entryOf = ({ baseUrl }: Server, resource: FhirResource, mode: "match" | "include"): BundleEntry => ({
  fullUrl: `${baseUrl}/${resource.resourceType}/${resource.id}`,
  resource,
  search: { mode },
});

function searchset(total: number, entry: BundleEntry[]): Reply {
  const body: Bundle = { resourceType: "Bundle", type: "searchset", total, entry };
  return { status: 200, body };
}
