import { readFileSync, rmSync } from "node:fs";
import path from "node:path";
import type { SandboxEhr } from "@vitaline/sandbox-ehr";
import * as z from "zod/mini";
import { writePrivately, type DemoState, type SeededVoiceProvider } from "./state.ts";

type Address = { baseUrl: string; tokenUrl: string };

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
    voiceProviders: {
      id: string;
      providerType: string;
      baseUrl: string;
      sandboxKey: string;
      webhookUrl: string;
      webhookSecret: string;
      agentId: string;
      calledNumber: string;
    }[];
  }[];
  ehr: Record<"r4" | "stu3" | "dstu2", Address>;
  patients: SandboxEhr["patients"];
  children: SandboxEhr["children"];
  outbox: string;
  faults: string;
};

const addressOf = ({ baseUrl, tokenUrl }: Address): Address => ({ baseUrl, tokenUrl });

const publicFields = ({
  webhookSecret,
  agentId,
  calledNumber,
}: Pick<SeededVoiceProvider, "webhookSecret" | "agentId" | "calledNumber">) => ({
  webhookSecret,
  agentId,
  calledNumber,
});

export const demoOf = (
  { systemAdmin, tenants }: DemoState,
  origin: string,
  sandbox: Pick<SandboxEhr, "origin" | "patients" | "children"> & Demo["ehr"],
  outbox: string,
): Demo => ({
  origin,
  systemAdmin,
  tenants: tenants.map(({ id = "", name, apiKey = "", admin, offices, fhirProviderId = "", voiceProviders }) => ({
    id,
    name,
    apiKey,
    admin,
    offices: offices.flatMap(({ id: officeId, name: officeName }) => (officeId ? [{ id: officeId, name: officeName }] : [])),
    fhirProviderId,
    voiceProviders: Object.entries(voiceProviders).flatMap(
      ([providerType, { id: providerId, baseUrl, apiKey: sandboxKey, webhookPath, ...account }]) =>
        providerId !== undefined && baseUrl !== undefined && sandboxKey !== undefined && webhookPath !== undefined
          ? [{ id: providerId, providerType, baseUrl, sandboxKey, webhookUrl: origin + webhookPath, ...publicFields(account) }]
          : [],
    ),
  })),
  ehr: { r4: addressOf(sandbox.r4), stu3: addressOf(sandbox.stu3), dstu2: addressOf(sandbox.dstu2) },
  patients: sandbox.patients,
  children: sandbox.children,
  outbox,
  faults: `POST ${sandbox.origin}/faults with {"kind": "503", "match": {"path": "/r4/Slot"}, "times": 2}; GET lists the kinds, DELETE ends all faults`,
});

const fileIn = (dataDir: string): string => path.join(dataDir, "demo.json");

export const writeDemo = (dataDir: string, demo: Demo): void => writePrivately(fileIn(dataDir), demo);
export const removeDemoFile = (dataDir: string): void => rmSync(fileIn(dataDir), { force: true });

const Addresses = z.object({ origin: z.string(), ehr: z.object({ r4: z.object({ baseUrl: z.string() }) }) });

/** Whether demo.json in the data folder belongs to a platform and a sandbox at these addresses. */
export function isCurrentDemo(dataDir: string, origin: string, { r4 }: Pick<Demo["ehr"], "r4">): boolean {
  try {
    const there = z.parse(Addresses, JSON.parse(readFileSync(fileIn(dataDir), "utf8")));
    return there.origin === origin && there.ehr.r4.baseUrl === r4.baseUrl;
  } catch {
    return false;
  }
}
