import type { Capability, Interaction, ResourceType } from "@vitaline/fhir";
import type { FhirProviderRow } from "@vitaline/store";
import { describe, expect, it } from "vitest";
import { schedulingEndpoint, serverBehaviorOf, type ServerBehavior } from "./server-behavior.ts";

type Vendor = FhirProviderRow["providerType"];
type Version = FhirProviderRow["fhirVersion"];

/** A server with this capability: "Slot search-type", "Patient $match". */
const stating = (...said: string[]): Capability => ({
  supports: (type: ResourceType, interaction: Interaction) => said.includes(`${type} ${interaction}`),
  searchParams: () => [],
  conditionalCreate: () => false,
  operation: (type, name) => said.includes(`${type} $${name}`),
  transaction: false,
});
const slots = ["Appointment create", "Slot search-type"];
const operations = ["Appointment $find", "Appointment $book"];
const baseOf = (vendor: Vendor, version: Version) =>
  vendor === "epic" ? `https://ehr.example/main/api/FHIR/${version}` : `https://ehr.example/${version.toLowerCase()}/t1`;
const profileOf = (vendor: Vendor, version: Version, said: string[], baseUrl = baseOf(vendor, version)): ServerBehavior =>
  serverBehaviorOf({ providerType: vendor, fhirVersion: version, baseUrl }, stating(...said));

const rows: [Vendor, Version, string[], ServerBehavior["booking"]][] = [
  // Not listed in its CapabilityStatement.
  ["epic", "R4", ["Appointment search-type"], "find-and-book"],
  ["epic", "STU3", [], "find-and-book"],
  ["epic", "DSTU2", [], "unsupported"],
  ["cerner", "R4", slots, "slot-and-post"],
  ["cerner", "R4", ["Appointment search-type"], "unsupported"],
  ["cerner", "DSTU2", slots, "propose-only"],
  ["cerner", "DSTU2", [], "unsupported"],
  // These vendors only offer records.
  ["allscripts", "R4", [], "unsupported"],
  ["nextgen", "R4", [], "unsupported"],
  ["allscripts", "R4", slots, "slot-and-post"],
  ["nextgen", "STU3", slots, "slot-and-post"],
  ["custom", "R4", slots, "slot-and-post"],
  ["custom", "STU3", slots, "slot-and-post"],
  ["custom", "DSTU2", slots, "slot-and-post"],
  ["custom", "R4", [...slots, ...operations], "find-and-book"],
  ["custom", "R4", ["Appointment $find", ...slots], "slot-and-post"],
  ["custom", "R4", ["Appointment create"], "unsupported"],
  ["custom", "R4", ["Slot search-type"], "unsupported"],
];

describe("appointments", () => {
  it.each(rows)("%s of %s that states %j: %s", (vendor, version, said, booking) => {
    expect(profileOf(vendor, version, said).booking).toBe(booking);
  });

  it("of an Epic whose URL has no version follow its capability", () => {
    const proxied = "https://gateway.example/epic";
    expect(profileOf("epic", "R4", [], proxied).booking).toBe("unsupported");
    expect(profileOf("epic", "R4", slots, proxied).booking).toBe("slot-and-post");
    expect(profileOf("epic", "R4", operations, proxied).booking).toBe("find-and-book");
  });

  it("of Epic are made at STU3 beside R4, those of other vendors at the same server", () => {
    const place = (providerType: Vendor, fhirVersion: Version, baseUrl: string) =>
      schedulingEndpoint({ providerType, fhirVersion, baseUrl });
    const stu3 = { baseUrl: "https://ehr.example/main/api/FHIR/STU3", fhirVersion: "STU3" };
    expect(place("epic", "R4", "https://ehr.example/main/api/FHIR/R4")).toEqual(stu3);
    expect(place("epic", "R4", "https://ehr.example/main/api/FHIR/r4")).toEqual(stu3);
    for (const [vendor, version] of [
      ["epic", "STU3"],
      ["epic", "DSTU2"],
      ["cerner", "R4"],
      ["custom", "R4"],
    ] as const)
      expect(place(vendor, version, "https://ehr.example/FHIR/R4")).toBeUndefined();
  });
});

describe("patients", () => {
  it.each([
    ["R4", ["Patient $match"], "operation"],
    ["STU3", ["Patient $match"], "operation"],
    ["R4", [], "search"],
    // DSTU2 has no such operation, even if a server lists one.
    ["DSTU2", ["Patient $match"], "search"],
  ] as const)("of %s that states %j are looked for by %s, at every vendor", (version, said, match) => {
    for (const vendor of ["epic", "cerner", "allscripts", "nextgen", "custom"] as const)
      expect(profileOf(vendor, version, [...said]).match).toBe(match);
  });
});

describe("messages and slots", () => {
  it("of Oracle Health go to staff and are searched narrowly, unlike those of other vendors", () => {
    for (const version of ["R4", "STU3", "DSTU2"] as const)
      for (const vendor of ["epic", "cerner", "allscripts", "nextgen", "custom"] as const)
        expect([profileOf(vendor, version, slots)].map(({ communicateTo, slotSearch }) => [communicateTo, slotSearch])).toEqual([
          vendor === "cerner" ? ["staff", "schedule-and-range"] : ["patient", "any"],
        ]);
  });
});
