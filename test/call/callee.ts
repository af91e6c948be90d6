import { demoPatients } from "../../packages/sandbox-ehr/seed/index.ts";
import { CannotCall, demoPath, readDemoFile, type Patient } from "./demo-file.ts";
import type { Options, Reach } from "./options.ts";
import type { Account } from "./phone-call.ts";
import type { PlatformName } from "./run-call.ts";

export type Callee = {
  origin: string;
  apiKey: string;
  name: string;
  patients: Patient[];
  children: Patient[];
  adminEmail?: string;
  fhirBaseUrl?: string;
  account?: Account | undefined;
  mcpUrl?: string | undefined;
  called?: string | undefined;
  ifRefused: string;
  ifUnsigned: string;
};

const providerTypes: Record<PlatformName, string | undefined> = {
  vapi: "vapi",
  retell: "retellai",
  elevenlabs: "elevenlabs",
  openai: "openai",
  mcp: undefined,
};

const defaultOrigin = "http://localhost:8080";

/** One of demo.json's tenants, or any tenant by its API key. Throws CannotCall when it is unknown. */
export async function calleeOf(
  { callee, origin, platform }: Pick<Options, "callee" | "origin" | "platform">,
  dataDir: string,
): Promise<Callee> {
  const demo = await readDemoFile(dataDir);
  if ("key" in callee)
    return {
      origin: origin ?? demo?.origin ?? defaultOrigin,
      apiKey: callee.key,
      name: "the tenant of this key",
      patients: demo?.patients ?? demoPatients(),
      children: demo?.children ?? [],
      ...reachOf(callee, platform),
      ifRefused: "No tenant has this key: use the current one from the tenant's page.",
      ifUnsigned: "Use the webhook address and the secret of the same voice provider, and check that it is active.",
    };
  if (!demo)
    throw new CannotCall(
      `There is no ${demoPath(dataDir)}: start the platform with \`npm start\` first. If it runs, VITALINE_DATA must name the same folder as it did for \`npm start\`; call a platform started with --empty with --key.`,
    );
  const tenant = demo.tenants[callee.tenant - 1];
  if (!tenant) throw new CannotCall(`--tenant ${callee.tenant} does not exist; there are ${demo.tenants.length}.`);
  const provider = tenant.voiceProviders.find(({ providerType }) => providerType === providerTypes[platform]);
  const at = origin ?? demo.origin;
  const restart = `stop the platform and start it again with \`npm start\``;
  if (!provider && ["retell", "elevenlabs", "openai"].includes(platform))
    throw new CannotCall(`${demoPath(dataDir)} has no account of ${tenant.name} at ${platform}: ${restart}, which adds it.`);
  return {
    origin: at,
    apiKey: tenant.apiKey,
    name: tenant.name,
    patients: demo.patients,
    children: demo.children,
    adminEmail: tenant.admin.email,
    fhirBaseUrl: demo.ehr.r4.baseUrl,
    account: provider,
    called: provider?.calledNumber,
    mcpUrl: `${at}/api/mcp/${tenant.id}`,
    ifRefused: `${demoPath(dataDir)} may hold an old key: ${restart}, which writes the current key.`,
    ifUnsigned: `${demoPath(dataDir)} may hold an old secret, or the voice provider was switched off in the console.`,
  };
}

const reachOf = (
  { address, secret, agent, number, baseUrl }: Reach,
  platform: PlatformName,
): Pick<Callee, "account" | "mcpUrl" | "called"> => {
  if (platform === "mcp") return { mcpUrl: address, called: number };
  const account = address !== undefined && secret !== undefined && { webhookUrl: address, webhookSecret: secret, agentId: agent, baseUrl };
  return { called: number, ...(account ? { account } : {}) };
};
