import type * as R2 from "fhir/r2.js";
import type * as R4 from "fhir/r4.js";
import { codeMap } from "../convert/code-systems.ts";
import { converter, first, list, type Loose } from "../convert/converter.ts";
import { crossVersionExtension } from "../convert/cross-version-extension.ts";

const status = codeMap([
  ["suspended", "on-hold"],
  ["failed", "stopped"],
  ["rejected", "not-done"],
  ["in-progress", "in-progress"],
  ["in-progress", "preparation"],
  ["failed", "entered-in-error"],
  ["in-progress", "unknown"],
]);
const extensions = crossVersionExtension<Pick<Loose<R4.Communication>, "topic" | "priority">>("Communication", {
  topic: "CodeableConcept",
  priority: "Code",
});

/** https://hl7.org/fhir/DSTU2/communication.html: one category, and no topic. */
export const communication = converter<R2.Communication, R4.Communication>(
  "Communication",
  "Communication",
  ({ category, recipient, status: state, reason, requestDetail, ...same }) => ({
    ...same,
    ...extensions.read(same),
    status: state === undefined ? "unknown" : status.toR4(state),
    category: list(category),
    recipient: list(recipient),
    reasonCode: reason,
    basedOn: list(requestDetail),
  }),
  ({ category, reasonCode, basedOn, topic, priority, ...others }) => {
    const {
      reasonReference: _r,
      note: _n,
      about: _a,
      statusReason: _s,
      partOf: _p,
      inResponseTo: _i,
      instantiatesCanonical: _c,
      ...rest
    } = others;
    const { instantiatesUri: _u, ...same } = rest;
    return {
      ...same,
      ...extensions.write({ topic, priority }, same),
      status: status.toNative(same.status),
      category: first(category),
      reason: reasonCode,
      requestDetail: first(basedOn),
    };
  },
);
