import { defineTool } from "../sdk/define-tool.ts";
import { inList, lowered } from "../speech/speech-text.ts";
import { saidName } from "../speech/names.ts";
import { find } from "./find.ts";
import { Input, Output, type Provider } from "./schema.ts";

/** "Doctor Amara Larkmere, general practice, at Sampleton Main Clinic". */
const said = ({ name, specialties, locations }: Provider): string =>
  [
    saidName(name),
    specialties.length > 0 && inList(specialties.map(lowered), { most: 2 }),
    locations.length > 0 && `at ${inList(locations, { most: 2 })}`,
  ]
    .filter(Boolean)
    .join(", ");

const spokenAtOnce = 5;

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
  requests: ({ name, location }) => [
    ...(name === undefined ? [] : ["search Practitioner"]),
    "search PractitionerRole",
    ...(location === undefined ? [] : ["search Location"]),
  ],
  annotations: { title: "Find providers", readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  run: find,
  speak: ({ providers, more }) => {
    if (providers.length === 0) return "I couldn't find a provider like that here. Would you like another name, specialty or location?";
    if (providers.length === 1) return `I found ${inList(providers.map(said), { more })}.`;
    return `I found ${providers.length + more} providers: ${inList(providers.map(said), { most: spokenAtOnce, more })}.`;
  },
});
