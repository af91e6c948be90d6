import { defineTool } from "../sdk/define-tool.ts";
import { findProviders } from "./find.ts";
import { examples, questions } from "./examples.ts";
import { Input, Output } from "./schema.ts";
import { speak } from "./speak.ts";

export const getFhirProviders = defineTool({
  name: "getFhirProviders",
  description:
    "Find the clinic's doctors and other providers by name, specialty or location, for instance before offering appointments. All arguments are optional; without any, some of the clinic's providers are named. Needs no verification.",
  input: Input,
  output: Output,
  effect: "read",
  level: 0,
  patientRecord: false,
  scopes: ["system/Practitioner.rs"],
  optionalScopes: ["system/PractitionerRole.rs", "system/Location.rs"],
  requests: ({ name, location, isUsual }) =>
    isUsual
      ? []
      : [
          ...(name === undefined ? [] : ["search Practitioner"]),
          "search PractitionerRole",
          ...(location === undefined ? [] : ["search Location"]),
        ],
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  run: findProviders,
  speak,
  questions,
  examples,
});
