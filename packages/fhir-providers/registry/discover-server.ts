import type { DiscoveredFhirServer } from "@vitaline/contract";
import { AppError, isAppError } from "@vitaline/core";
import { connectionFaults, discover, forgetDiscovery, networkFault, parseScope } from "@vitaline/fhir";
import type { PlatformContext } from "@vitaline/store/platform.ts";
import { checkBaseUrl, findPlaceholder } from "../provider/addresses.ts";

const maxScopeLength = 4000;
const maxAddressLength = 500;

/**
 * What a FHIR server says of its authorization, to fill a form with; null for what it does not say. AppError `invalid_request` for an
 * address that may not be called, `not_doable` with a sentence when it cannot be reached or says nothing.
 */
export async function discoverFhirServer(ctx: PlatformContext, typed: string): Promise<DiscoveredFhirServer> {
  const baseUrl = checkBaseUrl(typed);
  if (findPlaceholder({ baseUrl })) throw refused(connectionFaults.placeholder_left);
  // Who asks may just have set it right.
  forgetDiscovery(baseUrl);
  const found = await discover(ctx, { baseUrl }).catch((error: unknown) => {
    if (!isAppError(error)) throw error;
    throw refused(connectionFaults[networkFault(error) ?? "not_fhir"], error);
  });
  if (!found.tokenUrl && !found.authUrl)
    throw refused("The server says nothing of its authorization. Check the base URL, or fill in the addresses by hand.");
  return { authUrl: address(found.authUrl), tokenUrl: address(found.tokenUrl), scopes: scopeText(found.scopes) };
}

const refused = (sentence: string, cause?: unknown): AppError =>
  new AppError("not_doable", sentence, { cause, fields: { baseUrl: sentence } });

const address = (found: string | undefined): string | null =>
  found !== undefined && found.length <= maxAddressLength && /^https?:/.test(found) ? found : null;

/** Only what is a scope of a resource gets into the form, and no more than it holds. */
function scopeText(found: string[] | undefined): string | null {
  let text = "";
  for (const scope of new Set(found?.filter((one) => parseScope(one)))) {
    const longer = text === "" ? scope : `${text} ${scope}`;
    if (longer.length > maxScopeLength) break;
    text = longer;
  }
  return text || null;
}
