import * as z from "zod/mini";
import { Id, Instant, line } from "../http/fields.ts";
import { ConnectionStatus } from "./fhir-provider.ts";

export const ConnectionTest = z.strictObject({ patientId: line(200, "Patient ID is required") });

export const ConnectionTestResult = z.object({
  success: z.boolean(),
  /** One sentence with the result. */
  message: z.string(),
  patientData: z.nullable(
    z.object({ id: z.string(), name: z.nullable(z.string()), birthDate: z.nullable(z.string()), gender: z.nullable(z.string()) }),
  ),
  /** Error code. */
  error: z.nullable(z.string()),
  /** The steps in order; only the last one may have failed. A code with `ok` is a warning. */
  details: z.array(
    z.object({
      step: z.enum(["address", "discovery", "token", "capability", "patient"]),
      ok: z.boolean(),
      ms: z.number(),
      code: z.optional(z.string()),
      message: z.string(),
    }),
  ),
  /** Tools that the saved scopes do not permit, whether or not the test succeeded. */
  toolsNotAllowed: z
    .array(z.string())
    .check(z.describe("Tools that cannot work over this connection, because its saved scopes lack what they need.")),
});
export type ConnectionTestResult = z.infer<typeof ConnectionTestResult>;

const FhirCheck = z.object({ at: Instant, status: z.enum(["healthy", "unhealthy"]), ms: z.number() });

export const FhirHealth = z.object({
  id: Id,
  name: z.string(),
  endpoint: z.string(),
  status: ConnectionStatus,
  lastChecked: z.nullable(Instant),
  /** The earlier expiry of the server's TLS certificate and the provider's own certificate. */
  certificateExpiry: z.nullable(Instant),
  /** The last checks since the connection was changed, oldest first. `ms`: all steps. */
  history: z
    .array(FhirCheck)
    .check(
      z.describe(
        "The last checks of this connection, at most 20, oldest first; empty as long as it has not been checked since it was last changed.",
      ),
    ),
  /** A code and one sentence of advice for an error or warning. */
  code: z.optional(z.string()),
  message: z.optional(z.string()),
  /** From the server's CapabilityStatement. */
  software: z.optional(z.string()),
  fhirVersion: z.optional(z.string()),
});
export type FhirHealth = z.infer<typeof FhirHealth>;
