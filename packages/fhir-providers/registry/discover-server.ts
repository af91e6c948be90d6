import type { DiscoveredFhirServer } from "@vitaline/contract";
import { AppError, isAppError } from "@vitaline/core";
import { connectionFaults, discover, forgetDiscovery, networkFault, parseScope } from "@vitaline/fhir";
import type { EhrRegistryContext } from "@vitaline/store/scoped.ts";
import { checkBaseUrl, findPlaceholder } from "../provider/addresses.ts";

const maxScopeLength = 4000;
const maxAddressLength = 500;

/**
 * Form values from a server's discovery; null for a missing one. AppError `invalid_request` for an address that may not be called,
 * `not_doable` with a sentence when the server cannot be reached or has no discovery.
 */
export async function discoverFhirServer(ctx: EhrRegistryContext, typed: string): Promise<DiscoveredFhirServer> {
  const baseUrl = checkBaseUrl(typed);
  if (findPlaceholder({ baseUrl })) throw baseUrlError(connectionFaults.placeholder_left);
  // The administrator may just have corrected the server's configuration.
  forgetDiscovery(baseUrl);
  const found = await discover(ctx, { baseUrl }).catch((error: unknown) => {
    if (!isAppError(error)) throw error;
    throw baseUrlError(connectionFaults[networkFault(error) ?? "not_fhir"], error);
  });
  if (!found.tokenUrl && !found.authUrl)
    throw baseUrlError("The server does not describe its authorization. Check the base URL, or fill in the addresses by hand.");
  return { authUrl: toFormAddress(found.authUrl), tokenUrl: toFormAddress(found.tokenUrl), scopes: toFormScopes(found.scopes) };
}

const baseUrlError = (sentence: string, cause?: unknown): AppError =>
  new AppError("not_doable", sentence, { cause, fields: { baseUrl: sentence } });

const toFormAddress = (found: string | undefined): string | null =>
  found !== undefined && found.length <= maxAddressLength && /^https?:/.test(found) ? found : null;

/** Only resource scopes, up to the form's maximum length. */
function toFormScopes(found: string[] | undefined): string | null {
  let text = "";
  for (const scope of new Set(found?.filter((one) => parseScope(one)))) {
    const longer = text === "" ? scope : `${text} ${scope}`;
    if (longer.length > maxScopeLength) break;
    text = longer;
  }
  return text || null;
}
