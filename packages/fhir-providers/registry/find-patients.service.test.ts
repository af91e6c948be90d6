import type { PatientSearch } from "@vitaline/contract";
import { isAppError, newId } from "@vitaline/core";
import { keys, put } from "@vitaline/store";
import { platformStore } from "@vitaline/store/platform.ts";
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

const by = (id: string) => {
  const ctx = { ...platform.ctx, actor: { kind: "user", id, role: "tenant_admin" } as const };
  return { ...ctx, platform: platformStore(ctx) };
};
/** The ids of the patients found, else the fields or the code of the refusal. */
const search = async (asked: PatientSearch, at: 0 | 1 = 0, userId = "auditor") =>
  findPatients(by(userId), await platform.readTenant(platform.tenants[at].id), asked).then(
    (found) => found.map(({ patientId }) => patientId),
    (error: unknown) => {
      if (!isAppError(error)) throw error;
      return error.fields ? Object.keys(error.fields) : error.code;
    },
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

it("a user searches 120 times in an hour and no more; colleagues and other tenants are not kept from it", async () => {
  const [userId, colleague] = [newId(), newId()];
  const asked = { medicalRecordNumber: "MRN70001" };
  const seconds = Math.floor(Date.now() / 1000);
  for (const end of [seconds, seconds + 3600].map((at) => at - (at % 3600) + 3600)) {
    const key = keys.throttle("patientSearch", `${platform.tenants[0].id} ${userId}`, String(end));
    await platform.ctx.platform.writeUnaudited(put(key, { count: 119, expiresAt: end }));
  }
  expect(await search(asked, 0, userId)).toEqual(["patient-1001"]);
  expect(await search(asked, 0, userId)).toBe("too_many_requests");
  expect(await search(asked, 0, colleague)).toEqual(["patient-1001"]);
  expect(await search(asked, 1, userId)).toEqual(["patient-1001"]);
});
