import { updateTenant } from "@vitaline/tenants";
import { fromEdge } from "../kit/aws.ts";
import { startClinics } from "../../functions/voice/clinics.fixture.ts";

/** Runs as its own process until killed: AWS in memory and two clinics with an EHR. Prints the connection data as one line. */

const town = await startClinics();
const [{ id, apiKey, sandbox }] = town.clinics;
await updateTenant(town.aws.platform(), id, {
  name: "One",
  contactEmail: "office@clinic.example",
  organizationType: "clinic",
  isActive: true,
  policies: { toolRunsPerMinute: 100_000 },
});
const names = /^(AWS_|TABLE_NAME|VAULT_KEY_ARN|FILES_BUCKET|FHIR_SECRET_PREFIX|APP_SECRET_SECONDS|\w+_SECRET_ARN|EGRESS_LOOPBACK_ORIGINS)/;
const environment = Object.fromEntries(Object.entries(process.env).filter(([name]) => names.test(name)));
process.stdout.write(`${JSON.stringify({ environment, id, apiKey, edge: await fromEdge(), patient: sandbox.patients[0] })}\n`);
