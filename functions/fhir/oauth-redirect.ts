import type { FhirAuthorization, FhirProvider } from "@vitaline/contract";
import { completeAuthorization, type SessionRef } from "@vitaline/fhir-providers";
import type { Session } from "@vitaline/sessions";
import type { Contexts } from "../lib/auth/types.ts";
import { answerWith, type Reply } from "../lib/http/response.ts";

/** One cookie per open authorization. SameSite=Lax, because the EHR's page redirects back. */
const cookieOf = (state: string): string => `__Host-vitaline-ehr-${state.slice(0, 8)}`;
const attributes = "Path=/; Secure; HttpOnly; SameSite=Lax";
const lifetimeSeconds = 600;

export const userOf = ({ sid, actor }: Session): SessionRef => ({ userId: actor.id, sid });

/** The EHR's authorization page, and a cookie that binds the callback to this browser. */
export const redirectToEhr = ({ url, state, browser }: FhirAuthorization & { state: string; browser: string }): Reply<FhirAuthorization> =>
  answerWith({ url }, { headers: { "set-cookie": `${cookieOf(state)}=${browser}; Max-Age=${lifetimeSeconds}; ${attributes}` } });

type CallbackQuery = { state?: string | undefined; code?: string | undefined; error?: string | undefined; iss?: string | undefined };

/** Ends the authorization and redirects to the console that began it, with the outcome. */
export async function redirectToConsole(
  ctx: Contexts<"accounts" | "ehr">["public"],
  vendor: FhirProvider["providerType"],
  query: CallbackQuery,
): Promise<Reply<void>> {
  const cookie = cookieOf(query.state ?? "");
  const { outcome, providerId, isTenants } = await completeAuthorization(ctx, vendor, query, valueOf(cookie, ctx.cookies));
  const result = new URLSearchParams({ ehr: outcome, ...(providerId && { fhirProvider: providerId }) });
  const location = `${isTenants ? "/tenant" : "/admin"}?tab=fhir&${result}`;
  // A forged callback must not delete the cookie of an authorization that is still open.
  const isOver = outcome !== "expired";
  return answerWith(undefined, { headers: { location, ...(isOver && { "set-cookie": `${cookie}=; Max-Age=0; ${attributes}` }) } });
}

const valueOf = (cookie: string, cookies: readonly string[] = []): string | undefined =>
  cookies.find((one) => one.startsWith(`${cookie}=`))?.slice(cookie.length + 1);
