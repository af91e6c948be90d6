import { terminology } from "./codes.ts";

/** Code systems that HL7 moved for R4, of what we read and write; all of `v2/…` and `v3/…` moved too. https://hl7.org/fhir/R4/terminologies-systems.html */
const moved = new Set([
  ...[
    "condition-category",
    "observation-category",
    "communication-category",
    "medicationrequest-category",
    "medication-statement-category",
  ],
  ...[
    "practitioner-role",
    "organization-type",
    "location-physical-type",
    "service-category",
    "service-type",
    "appointment-cancellation-reason",
  ],
  ...[
    "coverage-class",
    "coverage-copay-type",
    "subscriber-relationship",
    "benefit-type",
    "benefit-network",
    "benefit-unit",
    "benefit-term",
  ],
]);
const older = "http://hl7.org/fhir/";

const toR4 = (system: string): string => {
  if (!system.startsWith(older)) return system;
  const name = system.slice(older.length);
  return moved.has(name) ? `${terminology}/${name}` : /^v[23]\//.test(name) ? `${terminology}/${name.replace("/", "-")}` : system;
};
const toNative = (system: string): string => {
  if (!system.startsWith(`${terminology}/`)) return system;
  const name = system.slice(terminology.length + 1);
  return moved.has(name) ? older + name : /^v[23]-/.test(name) ? older + name.replace("-", "/") : system;
};
const ways = { toR4, toNative };

/** A resource with its codings' systems as R4, or as the versions before it, call them; fields without a value go. */
export function withSystems<T>(value: T, way: keyof typeof ways): T {
  if (Array.isArray(value)) return value.map((one: unknown) => withSystems(one, way)) as T;
  if (typeof value !== "object" || value === null) return value;
  const renamed: Record<string, unknown> = {};
  for (const [key, one] of Object.entries(value)) {
    if (one !== undefined) renamed[key] = key === "system" && typeof one === "string" ? ways[way](one) : withSystems(one, way);
  }
  return renamed as T;
}
