import type * as R2 from "fhir/r2.js";
import type * as R4 from "fhir/r4.js";
import { converter, list, type Loose } from "../convert/converter.ts";

const rangeToR4 = ({ meaning, ...same }: Loose<R2.ObservationReferenceRange>): Loose<R4.ObservationReferenceRange> => ({
  ...same,
  type: meaning,
});
/** https://hl7.org/fhir/DSTU2/observation.html: one category, one interpretation, comments instead of notes. */
export const observation = converter<R2.Observation, R4.Observation>(
  "Observation",
  "Observation",
  ({ category, interpretation, comments, performer, referenceRange, related, component, ...same }) => ({
    ...same,
    category: list(category),
    interpretation: list(interpretation),
    note: comments === undefined ? undefined : [{ text: comments }],
    performer: list(performer),
    referenceRange: referenceRange?.map(rangeToR4),
    hasMember: related?.flatMap(({ type, target }) => (type === "has-member" ? [target] : [])),
    derivedFrom: related?.flatMap(({ type, target }) => (type === "derived-from" ? [target] : [])),
    component,
  }),
);
