import { randomBytes } from "node:crypto";
import type { HoursChange } from "@vitaline/contract";
import { updateFhirProvider } from "@vitaline/fhir-providers";
import { updateOffice } from "@vitaline/offices";
import { demoClientId } from "@vitaline/sandbox-ehr";
import { startSandboxVoice, type SandboxVoice } from "@vitaline/sandbox-voice";
import { allRows, keys, type OfficeRow } from "@vitaline/store";
import { tenantPartitions } from "@vitaline/store/keys.ts";
import { assignVoiceAgent } from "@vitaline/voice-agents";
import { createVoiceProvider, hookPath } from "@vitaline/voice-providers";
import { startClinics, type Clinic, type Clinics } from "../../functions/voice/clinics.fixture.ts";
import { openGateway } from "../../functions/voice/gateway.fixture.ts";
import { openEhr } from "../kit/ehr.ts";
import type { Patient } from "./demo-file.ts";
import type { Account } from "./phone-call.ts";
import type { PlatformName } from "./run-call.ts";

const providerTypes = { vapi: "vapi", retell: "retellai", elevenlabs: "elevenlabs", openai: "openai" } as const;
/** Also who the doctors are. */
const scopes = "system/Patient.crus system/Appointment.crus system/Slot.rs system/Schedule.rs system/Practitioner.rs system/Location.rs";
const closed: HoursChange = {
  days: { monday: null, tuesday: null, wednesday: null, thursday: null, friday: null, saturday: null, sunday: null },
};
const offices = [
  { phone: "+14155550145", staffRouting: [{ label: "Front desk", phone: "+16175550145", reasons: [] }] },
  { phone: "+14155550146", staffRouting: [{ label: "Front desk", phone: "+16175550146", reasons: [], hours: closed }] },
] as const;

/** The numbers and addresses by which a clinic is called. */
export type Line = { called: string; mcpUrl: string; apiKey: string; accounts: Partial<Record<PlatformName, Account>> };
export type Voices = {
  town: Clinics;
  origin: string;
  /** The first clinic's front desk is on duty, the second's never is. */
  lines: readonly [Line, Line];
  /** Patients without appointments, each of them once. */
  nextPatient(which: 0 | 1): Patient;
  close(): Promise<void>;
};

/** Two clinics that can be called through every platform. */
export async function startVoices(patientCount: number): Promise<Voices> {
  const town = await startClinics();
  const [gateway, sandbox] = [await openGateway(), await startSandboxVoice()];
  process.env["EGRESS_LOOPBACK_ORIGINS"] += `,${sandbox.origin}`;
  for (const { ctx, sandbox: ehr } of town.clinics) {
    const { fhirProviderId } = (await ctx.store.get(keys.tenantConfig()))!;
    await updateFhirProvider(town.aws.platform(), fhirProviderId!, {
      name: "EHR",
      baseUrl: ehr.r4.baseUrl,
      clientId: demoClientId,
      scopes,
    });
  }
  const patients = await Promise.all(town.clinics.map(async (clinic) => patientsOf(clinic, patientCount)));
  return {
    town,
    origin: gateway.origin,
    lines: [await lineOf(town.clinics[0], 0), await lineOf(town.clinics[1], 1)],
    nextPatient: (which) => patients[which]!.pop()!,
    async close() {
      await gateway.close();
      await sandbox.close();
      await town.close();
    },
  };

  async function lineOf({ id, apiKey, ctx }: Clinic, which: 0 | 1): Promise<Line> {
    const [office] = await allRows<OfficeRow>(ctx.store, tenantPartitions.config(id), { prefix: "OFFICE#" });
    const { phone, staffRouting } = offices[which];
    await updateOffice(ctx, office!.id, {
      name: office!.name,
      phone,
      staffRouting: staffRouting.map((one) => ({ ...one, reasons: [...one.reasons] })),
    });
    const accounts: Line["accounts"] = {};
    for (const [platform, providerType] of Object.entries(providerTypes))
      accounts[platform as PlatformName] = await accountOf({ ctx, officeId: office!.id, providerType, sandbox, origin: gateway.origin });
    return { apiKey, called: phone, mcpUrl: `${gateway.origin}/api/mcp/${id}/${office!.id}`, accounts };
  }
}

async function patientsOf({ sandbox }: Clinic, count: number): Promise<Patient[]> {
  const ehr = await openEhr(sandbox);
  const callers = await ehr.addCallers(count);
  await ehr.close();
  return callers.map((caller) => ({ ...caller, zip: "", mrn: "" }));
}

type Wanted = Pick<Clinic, "ctx"> & {
  officeId: string;
  providerType: (typeof providerTypes)[keyof typeof providerTypes];
  sandbox: SandboxVoice;
  origin: string;
};

async function accountOf({ ctx, officeId, providerType, sandbox, origin }: Wanted): Promise<Account> {
  const webhookSecret = `whsec_${randomBytes(24).toString("base64")}`;
  const baseUrl = sandbox.baseUrl(providerType);
  const agentId = providerType === "openai" ? "gpt-realtime-2" : "agent-2";
  const { id } = await createVoiceProvider(ctx, {
    providerType,
    providerName: providerType,
    config: { apiKey: "k", baseUrl, settings: {}, model: "gpt-realtime-2" },
    webhookSecret,
    isDefault: false,
    isActive: true,
  });
  await assignVoiceAgent(ctx, officeId, { voiceProviderId: id, externalAgentId: agentId, agentName: "Reception", isActive: true });
  return { webhookUrl: origin + hookPath(providerType).replace("{voiceProviderId}", id), webhookSecret, baseUrl, agentId };
}
