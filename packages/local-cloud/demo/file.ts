import type { SandboxEhr } from "@vitaline/sandbox-ehr";
import type { DemoState } from "./state.ts";

/** `demo.json`: what scripts and people need to know of the platform that runs. Its shape is relied on from outside. */
export type Demo = {
  origin: string;
  systemAdmin: { email: string; password: string };
  tenants: {
    id: string;
    name: string;
    apiKey: string;
    admin: { email: string; password: string };
    offices: { id: string; name: string }[];
    fhirProviderId: string;
  }[];
  ehr: { r4: { baseUrl: string; tokenUrl: string }; stu3: null; dstu2: null };
  patients: SandboxEhr["patients"];
  outbox: string;
  faults: string;
};

export const demoOf = (
  { systemAdmin, tenants }: DemoState,
  origin: string,
  sandbox: Pick<SandboxEhr, "origin" | "r4" | "patients">,
  outbox: string,
): Demo => ({
  origin,
  systemAdmin,
  tenants: tenants.map(({ id = "", name, apiKey = "", admin, offices, fhirProviderId = "" }) => ({
    id,
    name,
    apiKey,
    admin,
    offices,
    fhirProviderId,
  })),
  ehr: { r4: sandbox.r4, stu3: null, dstu2: null },
  patients: sandbox.patients,
  outbox,
  faults: `POST ${sandbox.origin}/faults with {"kind": "503", "match": {"path": "/r4/Slot"}, "times": 2}; GET lists the kinds, DELETE ends all faults`,
});
