import { createFhirSecret } from "@vitaline/aws";
import type { FhirProvider, NewFhirProvider } from "@vitaline/contract";
import { AppError, newId } from "@vitaline/core";
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
  const addresses = {
    baseUrl: baseAddress(ctx, input.baseUrl),
    ...(input.tokenUrl && { tokenUrl: callable(ctx, "tokenUrl", input.tokenUrl).href }),
  };
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
function baseAddress(ctx: PlatformContext, typed: string): string {
  const url = callable(ctx, "baseUrl", typed);
  if (url.search || url.hash) throw refused("baseUrl", "Must not hold a query or fragment");
  return url.href.replace(/\/+$/, "");
}

/** Only a platform that itself runs on this machine without TLS may have an EHR there; the outbound guard has the last word. */
function callable(ctx: PlatformContext, field: string, typed: string): URL {
  const url = new URL(typed);
  const plainHttp = url.protocol === "http:" && new URL(ctx.origin).protocol === "http:";
  if (url.protocol !== "https:" && !plainHttp) throw refused(field, "Must be an https address");
  if (url.username || url.password) throw refused(field, "Must not hold a user name or password");
  return url;
}

const refused = (field: string, text: string): AppError =>
  new AppError("invalid_request", "Please check the addresses of the FHIR server.", { fields: { [field]: text } });
