import { demoPatients } from "../../packages/sandbox-ehr/seed/index.ts";
import { CannotCall, demoPath, readDemoFile, type Patient } from "./demo-file.ts";
import type { Options } from "./options.ts";

/** Who is called, by whom, and where to see what came of it. */
export type Callee = {
  origin: string;
  apiKey: string;
  name: string;
  patients: Patient[];
  /** Who signs in to see its dashboard; undefined when that is not known. */
  adminEmail?: string;
  fhirBaseUrl?: string;
  /** What a refused key means. */
  ifRefused: string;
};

const usualOrigin = "http://localhost:8080";

/** The tenant that the options name: one of demo.json's, or any whose key is given. CannotCall when it is not to be found. */
export async function calleeOf({ callee, origin }: Pick<Options, "callee" | "origin">, dataDir: string): Promise<Callee> {
  const demo = await readDemoFile(dataDir);
  if ("key" in callee)
    return {
      origin: origin ?? demo?.origin ?? usualOrigin,
      apiKey: callee.key,
      name: "the tenant of this key",
      patients: demo?.patients ?? demoPatients(),
      ifRefused: "The platform knows no tenant by this key: take the one that the tenant's page shows now.",
    };
  if (!demo)
    throw new CannotCall(
      `There is no ${demoPath(dataDir)}: start the platform with \`npm start\` first. If it runs, VITALINE_DATA must name the same folder as it did for \`npm start\`; one that was started with --empty is called with --key.`,
    );
  const tenant = demo.tenants[callee.tenant - 1];
  if (!tenant) throw new CannotCall(`--tenant ${callee.tenant} does not exist; there are ${demo.tenants.length}.`);
  return {
    origin: origin ?? demo.origin,
    apiKey: tenant.apiKey,
    name: tenant.name,
    patients: demo.patients,
    adminEmail: tenant.admin.email,
    fhirBaseUrl: demo.ehr.r4.baseUrl,
    ifRefused: `${demoPath(dataDir)} may hold an old key: stop the platform and start it again with \`npm start\`, which writes the key of now.`,
  };
}
