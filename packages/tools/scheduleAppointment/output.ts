import * as z from "zod/mini";

export const OpenSlot = z.object({
  slotId: z.string(),
  start: z.string(),
  end: z.string(),
  practitioner: z.optional(z.string()),
  location: z.optional(z.string()),
  service: z.optional(z.string()),
});
export type OpenSlot = z.output<typeof OpenSlot>;

export const Visit = z.object({
  appointmentId: z.string(),
  start: z.string(),
  practitioner: z.optional(z.string()),
  location: z.optional(z.string()),
  /** Asked for, and not yet granted by the clinic. */
  requested: z.optional(z.literal(true)),
});
export type Visit = z.output<typeof Visit>;

/** What came of it. Instants are ISO 8601. */
export const Output = z.discriminatedUnion("result", [
  /** `otherDays`: nothing was free on the day that was asked for, `from` and `until`: from when, and up to when, times were looked for. `unknown`: no practitioner, or no service, has the name that was asked for. */
  z.object({
    result: z.literal("found"),
    slots: z.array(OpenSlot),
    otherDays: z.boolean(),
    from: z.optional(z.string()),
    until: z.optional(z.string()),
    unknown: z.optional(z.enum(["practitioner", "service"])),
  }),
  z.object({ result: z.literal("taken"), slots: z.array(OpenSlot) }),
  z.object({ result: z.literal("booked"), appointment: Visit }),
  /** The EHR has the request, and someone there has to confirm it; until then the patient keeps what `stays`. */
  z.object({ result: z.literal("requested"), appointment: Visit, stays: z.optional(Visit) }),
  /** The patient has this very time already, or an appointment that `overlaps` it. */
  z.object({ result: z.literal("already"), appointment: Visit, overlaps: z.optional(z.literal(true)) }),
  /** No more are made in this call, or for a patient who has so many that were made by phone. */
  z.object({ result: z.literal("enough"), of: z.enum(["call", "patient"]) }),
  z.object({ result: z.literal("listed"), appointments: z.array(Visit) }),
  z.object({ result: z.literal("rescheduled"), appointment: Visit, replaced: Visit }),
  z.object({ result: z.literal("cancelled"), appointment: Visit }),
  /** More than one appointment could be meant. */
  z.object({ result: z.literal("which"), action: z.enum(["reschedule", "cancel"]), appointments: z.array(Visit) }),
  z.object({ result: z.literal("none"), action: z.enum(["reschedule", "cancel"]) }),
]);
export type Output = z.output<typeof Output>;
