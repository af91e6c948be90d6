import type * as R3 from "fhir/r3.js";
import type * as R4 from "fhir/r4.js";
import { codeMap } from "../convert/code-systems.ts";
import { converter, list, type Loose } from "../convert/converter.ts";
import { crossVersionExtension } from "../convert/cross-version-extension.ts";

const status = codeMap([
  ["suspended", "on-hold"],
  ["aborted", "stopped"],
]);
const extensions = crossVersionExtension<Pick<Loose<R4.Communication>, "topic" | "priority">>("Communication", {
  topic: "CodeableConcept",
  priority: "Code",
});

/** https://hl7.org/fhir/STU3/communication.html: not-done is a flag, and `about` is called topic. */
export const communication = converter<R3.Communication, R4.Communication>(
  "Communication",
  "Communication",
  ({ definition: _d, notDone, notDoneReason, topic, context, recipient, reasonReference, ...same }) => ({
    ...same,
    ...extensions.read(same),
    status: notDone ? "not-done" : status.toR4(same.status),
    statusReason: notDoneReason,
    about: topic,
    encounter: context,
    recipient: list(recipient),
    reasonReference: list(reasonReference),
  }),
  ({ statusReason, about, encounter, topic, priority, instantiatesCanonical: _c, instantiatesUri: _u, inResponseTo: _r, ...same }) => ({
    ...same,
    ...extensions.write({ topic, priority }, same),
    ...(same.status === "not-done" ? { status: "aborted", notDone: true } : { status: status.toNative(same.status) }),
    notDoneReason: statusReason,
    topic: about,
    context: encounter,
  }),
);
