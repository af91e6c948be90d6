import { createFhirSecret } from "@vitaline/aws";
import type { FhirProvider, NewFhirProvider } from "@vitaline/contract";
import { AppError, newId } from "@vitaline/core";
import { isCallable } from "@vitaline/outbound";
import { create, keys, type FhirProviderRow } from "@vitaline/store";
import type { PlatformContext } from "@vitaline/store/platform.ts";

const asFhirProvider = ({ clientSecret, redirectUri, authUrl, tokenUrl, description, ...row }: FhirProviderRow): FhirProvider => ({
  ...row,
  providerName: row.name,
  hasClientSecret: clientSecret !== undefined,
  redirectUri: redirectUri ?? null,
  authUrl: authUrl ?? null,
  tokenUrl: tokenUrl ?? null,
  description: description ?? null,
});

/** An EHR's FHIR server; a client secret goes into Secrets Manager and the row pins its version. AppError `invalid_request` for an address that may not be called. */
export async function createFhirProvider(ctx: PlatformContext, { clientSecret, ...input }: NewFhirProvider): Promise<FhirProvider> {
  const addresses = { baseUrl: baseAddress(input.baseUrl), tokenUrl: input.tokenUrl && callable("tokenUrl", input.tokenUrl).href };
  for (const page of ["authUrl", "redirectUri"] as const) if (input[page]) checkPage(page, input[page]);
  const id = newId(ctx.clock().getTime());
  const row: FhirProviderRow = {
    ...input,
    ...addresses,
    id,
    createdAt: ctx.clock().toISOString(),
    ...(clientSecret && { clientSecret: await createFhirSecret(`${id}/client-secret`, clientSecret) }),
  };
  await ctx.platform.commit([create(keys.fhirProvider(id), row)], {
    category: "configuration_change",
    action: "fhirProvider.create",
    resourceType: "FhirProvider",
    resourceId: id,
    detail: { providerType: row.providerType, fhirVersion: row.fhirVersion, isActive: row.isActive },
  });
  return asFhirProvider(row);
}

/** Paths are appended to it, so it ends without a slash and holds no query. */
function baseAddress(typed: string): string {
  const url = callable("baseUrl", typed);
  if (url.search || url.hash) throw refused("baseUrl", "Must not hold a query or fragment");
  return url.href.replace(/\/+$/, "");
}

/** What the outbound guard would refuse in a patient's call is refused while the person who typed it is still here. */
function callable(field: string, typed: string): URL {
  if (!isCallable(typed)) throw refused(field, "Must be an https address on the public internet, without user name or password");
  return new URL(typed);
}

/** An address that a browser is sent to; we never call it. */
function checkPage(field: string, typed: string): void {
  const { protocol, username, password } = new URL(typed);
  if (!/^https?:$/.test(protocol) || username || password) throw refused(field, "Must be a web address without user name or password");
}

const refused = (field: string, text: string): AppError =>
  new AppError("invalid_request", "Please check the addresses of the FHIR server.", { fields: { [field]: text } });
