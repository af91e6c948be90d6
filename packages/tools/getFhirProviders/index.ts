import { defineTool } from "../sdk/define-tool.ts";
import { lowerCaseWords, speakList, speakName } from "../speech/speech-text.ts";
import { findProviders } from "./find.ts";
import { Input, Output, type Provider } from "./schema.ts";

/** "Doctor Amara Larkmere, general practice, at Sampleton Main Clinic". */
const describe = ({ name, specialties, locations }: Provider): string =>
  [
    speakName(name),
    specialties.length > 0 && speakList(specialties.map(lowerCaseWords), { most: 2 }),
    locations.length > 0 && `at ${speakList(locations, { most: 2 })}`,
  ]
    .filter(Boolean)
    .join(", ");

const notAsAsked: Record<NonNullable<Output["instead"]>, string> = {
  female: "I don't find a woman for that here",
  male: "I don't find a man for that here",
  gender: "I can't tell that about our doctors",
};

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
  requests: ({ name, location, isUsual }) =>
    isUsual
      ? []
      : [
          ...(name === undefined ? [] : ["search Practitioner"]),
          "search PractitionerRole",
          ...(location === undefined ? [] : ["search Location"]),
        ],
  annotations: { title: "Find providers", readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  run: findProviders,
  speak: ({ providers, more, instead, isUsual }) => {
    if (isUsual) return "I can look for a time with your usual doctor. Would you like that?";
    const opener = instead ? `${notAsAsked[instead]}, but I` : "I";
    if (providers.length === 0) return "I couldn't find a provider like that here. Would you like another name, specialty or location?";
    if (providers.length === 1) return `${opener} found ${speakList(providers.map(describe), { more })}.`;
    return `${opener} found ${providers.length + more} providers: ${speakList(providers.map(describe), { most: spokenAtOnce, more })}.`;
  },
});
