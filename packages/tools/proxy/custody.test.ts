import { AppError, type ErrorCode } from "@vitaline/core";
import type { Ehr } from "@vitaline/fhir-providers";
import type { Flag } from "fhir/r4.js";
import { expect, it } from "vitest";
import type { Run } from "../sdk/run.ts";
import { hasCustodyFlag } from "./custody.ts";

const run = { signal: new AbortController().signal } as Run;
const asked = (search: () => Promise<Flag[]>) => hasCustodyFlag(run, { search } as unknown as Ehr, "p1");
const flag = (text: string, status: Flag["status"] = "active"): Flag => ({
  resourceType: "Flag",
  id: text,
  status,
  code: { text },
  subject: { reference: "Patient/p1" },
});

const custody = [
  ...["Custody dispute", "Order of protection", "TRO against mother", "Foster care", "Emancipated minor", "No contact with father"],
  ...["Father may not pick up the child", "Sole legal decision maker: mother", "Parent rights terminated", "Supervised visits only"],
  ...["Termination of parental right (father)", "Child protective services involved", "Father: no visits, no phone information"],
  ...["Safe at home program", "Address confidentiality program", "Orden de protección vigente contra el padre", "Violencia doméstica"],
  ...["Patria potestad: solo la madre", "No divulgar información al padre", "Tutela legal de los abuelos"],
];
it.each(custody)("%s on the chart is for staff to decide", async (text) => {
  expect(await asked(async () => [flag("Fall risk"), flag("No dar aspirina"), flag(text)])).toBe(true);
  expect(await asked(async () => [flag("No dar aspirina"), flag(text, "inactive")])).toBe(false);
});

it("flags that are refused, or too many to read, are for staff to decide; a patient that does not exist has none", async () => {
  const failing = (code: ErrorCode) => asked(() => Promise.reject(new AppError(code, "No flags")));
  expect(await failing("ehr_forbidden")).toBe(true);
  expect(await asked(async () => Array.from({ length: 100 }, (_, nth) => flag(`Fall risk ${nth}`)))).toBe(true);
  expect(await failing("ehr_not_found")).toBe(false);
  await expect(failing("ehr_timeout")).rejects.toMatchObject({ code: "ehr_timeout" });
});
