import * as z from "zod/mini";

/** Why a caller calls. Callers' words are mapped to these, so that they tell nothing of a patient. */
export const RoutingReason = z.enum([
  "appointment",
  "prescription",
  "clinical",
  "billing",
  "insurance",
  "records",
  "new_patient",
  "emergency",
  "person",
  "other",
]);
export type RoutingReason = z.infer<typeof RoutingReason>;
/** The result of a transfer to staff. */
export const RoutingOutcome = z.enum(["transferred", "callback", "voicemail", "resolved", "emergency", "other"]);
export type RoutingOutcome = z.infer<typeof RoutingOutcome>;
