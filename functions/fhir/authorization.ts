import type { FhirAuthorization, FhirProvider } from "@vitaline/contract";
import { endAuthorization, type SignedIn } from "@vitaline/fhir-providers";
import type { Session } from "@vitaline/sessions";
import type { Contexts } from "../lib/callers.ts";
import { answerWith, type Reply } from "../lib/reply.ts";

/** Only this very host may set it, and scripts do not see it; Lax, as the way back begins at the EHR's page. One for each way that is open. */
const cookieOf = (state: string): string => `__Host-vitaline-ehr-${state.slice(0, 8)}`;
const attributes = "Path=/; Secure; HttpOnly; SameSite=Lax";
const lifetimeSeconds = 600;

export const signedIn = ({ sid, actor }: Session): SignedIn => ({ userId: actor.id, sid });

/** The EHR's page, and a cookie by which the browser is known when it comes back: nobody can send somebody else there. */
export const toSignIn = ({ url, state, browser }: FhirAuthorization & { state: string; browser: string }): Reply<FhirAuthorization> =>
  answerWith({ url }, { headers: { "set-cookie": `${cookieOf(state)}=${browser}; Max-Age=${lifetimeSeconds}; ${attributes}` } });

type Returned = { state?: string | undefined; code?: string | undefined; error?: string | undefined; iss?: string | undefined };

/** Leads on to the console of whoever began, with what came of it, and to no other place. */
export async function backToConsole(
  ctx: Contexts["public"],
  vendor: FhirProvider["providerType"],
  returned: Returned,
): Promise<Reply<void>> {
  const cookie = cookieOf(returned.state ?? "");
  const { outcome, providerId, isTenants } = await endAuthorization(ctx, vendor, returned, kept(cookie, ctx.cookies));
  const said = new URLSearchParams({ ehr: outcome, ...(providerId && { fhirProvider: providerId }) });
  const location = `${isTenants ? "/tenant" : "/admin"}?tab=fhir&${said}`;
  // Another page may send a browser here while its own way back is still open.
  const isOver = outcome !== "expired";
  return answerWith(undefined, { headers: { location, ...(isOver && { "set-cookie": `${cookie}=; Max-Age=0; ${attributes}` }) } });
}

const kept = (cookie: string, cookies: readonly string[] = []): string | undefined =>
  cookies.find((one) => one.startsWith(`${cookie}=`))?.slice(cookie.length + 1);
