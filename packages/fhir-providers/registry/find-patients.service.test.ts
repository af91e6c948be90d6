import type { PatientSearch } from "@vitaline/contract";
import { isAppError } from "@vitaline/core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Platform, providerInput, startPlatform } from "../fhir-providers.fixture.ts";
import { assignFhirProvider, createFhirProvider, findPatients } from "../index.ts";

let platform: Platform;
beforeAll(async () => {
  platform = await startPlatform();
  for (const at of [0, 1] as const) {
    const { id } = await createFhirProvider(platform.ctx, providerInput(platform.sandboxes[at]));
    await assignFhirProvider(platform.ctx, platform.tenants[at].id, id);
  }
}, 60_000);
afterAll(() => platform.close());

const search = async (asked: PatientSearch, at: 0 | 1 = 0) =>
  findPatients(platform.ctx, await platform.readTenant(platform.tenants[at].id), asked).then(
    (found) => found.map(({ patientId }) => patientId),
    (error: unknown) => (isAppError(error, "invalid_request") ? Object.keys(error.fields ?? {}) : String(error)),
  );

it("a patient is found by their own record number, or by family name and birth date, in either tenant", async () => {
  for (const at of [0, 1] as const) {
    expect(await search({ medicalRecordNumber: "MRN70001" }, at)).toEqual(["patient-1001"]);
    expect(await search({ familyName: "Alderwick", birthDate: "1988-05-17" }, at)).toEqual(["patient-1001"]);
  }
});

it("no search lists patients by a syntax of FHIR: several numbers, all numbers of a system, or a blank family name", async () => {
  for (const medicalRecordNumber of ["MRN70001,MRN70008", "https://sandbox-ehr.example/mrn|", "|MRN70001", "MRN70001$", "MRN70001\\"])
    expect(await search({ medicalRecordNumber }), medicalRecordNumber).toEqual(["medicalRecordNumber"]);
  for (const familyName of [",", "|", "$ \\"])
    expect(await search({ familyName, birthDate: "1988-05-17" }), familyName).toEqual(["familyName"]);
});
