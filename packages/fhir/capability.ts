import type { OutboundResponse } from "@vitaline/outbound";
import { ehrError } from "./errors.ts";
import { refusalOf } from "./refusal.ts";
import type { CallOptions, Capability, FhirContext, Interaction } from "./types.ts";
import { bodyAs, CapabilityStatement } from "./wire.ts";

const cacheMs = 3_600_000;
const cached = new Map<string, { capability: Capability; untilMs: number }>();

/** What the server at this base can do, from `fetchStatement` (its /metadata) or from less than an hour ago. */
export async function readCapability(
  ctx: FhirContext,
  baseUrl: string,
  fetchStatement: (options: CallOptions) => Promise<OutboundResponse>,
  options: CallOptions,
): Promise<Capability> {
  const known = cached.get(baseUrl);
  const nowMs = ctx.clock().getTime();
  if (known && known.untilMs > nowMs) return known.capability;
  const response = await fetchStatement(options);
  const refusal = refusalOf(response, "read", ctx.clock());
  if (refusal) throw refusal;
  const statement = bodyAs(CapabilityStatement, response);
  if (!statement) throw ehrError("ehr_invalid");
  const capability = capabilityOf(statement);
  cached.set(baseUrl, { capability, untilMs: nowMs + cacheMs });
  return capability;
}

function capabilityOf(statement: CapabilityStatement): Capability {
  const server = statement.rest.find(({ mode }) => mode === "server") ?? statement.rest[0];
  const types = new Map((server?.resource ?? []).map((resource) => [resource.type, resource]));
  return {
    supports: (type, interaction: Interaction) => types.get(type)?.interaction?.some(({ code }) => code === interaction) ?? false,
    searchParams: (type) => (types.get(type)?.searchParam ?? []).map(({ name }) => name),
    conditionalCreate: (type) => types.get(type)?.conditionalCreate === true,
  };
}
