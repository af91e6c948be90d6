import type * as R4 from "fhir/r4.js";
import type * as R3 from "fhir/r3.js";
import { converter, list } from "../convert/converter.ts";

/** https://hl7.org/fhir/STU3/observation.html: one interpretation, a comment instead of notes, `context` instead of the encounter. */
export const observation = converter<R3.Observation, R4.Observation>(
  "Observation",
  "Observation",
  ({ context, comment, interpretation, basedOn, performer, related, component, ...same }) => ({
    ...same,
    encounter: context,
    note: comment === undefined ? undefined : [{ text: comment }],
    interpretation: list(interpretation),
    basedOn: list(basedOn),
    performer: list(performer),
    hasMember: related?.flatMap(({ type, target }) => (type === "has-member" ? [target] : [])),
    derivedFrom: related?.flatMap(({ type, target }) => (type === "derived-from" ? [target] : [])),
    component: component?.map((one) => ({ ...one, interpretation: list(one.interpretation) })),
  }),
);
