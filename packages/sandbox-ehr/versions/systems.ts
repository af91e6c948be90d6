const terminology = "http://terminology.hl7.org/CodeSystem/";

/** R4 moved HL7's own code systems; before, they were under hl7.org/fhir. */
export function systemBeforeR4(system: string): string {
  if (!system.startsWith(terminology)) return system;
  const name = system.slice(terminology.length);
  return `http://hl7.org/fhir/${name.replace(/^v([23])-/, "v$1/")}`;
}

/** These were and are under hl7.org/fhir. */
const stayed = new Set(["administrative-gender", "address-use", "contact-point-use", "name-use", "sid", "resource-types"]);

export function systemOfR4(system: string): string {
  const [, name = ""] = /^http:\/\/hl7\.org\/fhir\/((?:v[23]\/)?[A-Za-z0-9-]+)$/.exec(system) ?? [];
  return name === "" || stayed.has(name) ? system : `${terminology}${name.replace(/^v([23])\//, "v$1-")}`;
}
