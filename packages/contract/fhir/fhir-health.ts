import * as z from "zod/mini";
import { Id, Instant, line } from "../http/fields.ts";
import { ConnectionStatus } from "./fhir-provider.ts";

export const ConnectionTest = z.strictObject({ patientId: line(200, "Patient ID is required") });

export const ConnectionTestResult = z.object({
  success: z.boolean(),
  /** One sentence: that it went well, or what went wrong. */
  message: z.string(),
  patientData: z.nullable(
    z.object({ id: z.string(), name: z.nullable(z.string()), birthDate: z.nullable(z.string()), gender: z.nullable(z.string()) }),
  ),
  /** The code of what went wrong. */
  error: z.nullable(z.string()),
  /** The steps that were taken, in their order; the last one failed, if any did. A code without a failure is a warning. */
  details: z.array(
    z.object({
      step: z.enum(["address", "discovery", "token", "capability", "patient"]),
      ok: z.boolean(),
      ms: z.number(),
      code: z.optional(z.string()),
      message: z.string(),
    }),
  ),
  /** Tools that will not work here, however the test went: the saved scopes do not hold what they need. */
  toolsNotAllowed: z
    .array(z.string())
    .check(
      z.describe("Tools that will not work over this connection, however the test went: its saved scopes do not hold what they need."),
    ),
});
export type ConnectionTestResult = z.infer<typeof ConnectionTestResult>;

const FhirCheck = z.object({ at: Instant, status: z.enum(["healthy", "unhealthy"]), ms: z.number() });

export const FhirHealth = z.object({
  id: Id,
  name: z.string(),
  endpoint: z.string(),
  status: ConnectionStatus,
  lastChecked: z.nullable(Instant),
  /** The earlier of the server's TLS certificate and the provider's own. */
  certificateExpiry: z.nullable(Instant),
  /** How the last checks of this connection went, oldest first; none once it has been changed. `ms`: what all steps took. */
  history: z
    .array(FhirCheck)
    .check(
      z.describe(
        "The last checks of this connection, at most 20, oldest first; empty as long as it has not been checked since it was last changed.",
      ),
    ),
  /** What the last check found wrong, or worth a warning: a code, and one sentence of advice. */
  code: z.optional(z.string()),
  message: z.optional(z.string()),
  /** What the server said of itself, when it last said so. */
  software: z.optional(z.string()),
  fhirVersion: z.optional(z.string()),
});
export type FhirHealth = z.infer<typeof FhirHealth>;
