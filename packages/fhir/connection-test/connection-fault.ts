import { isAppError } from "@vitaline/core";
import { OutboundError, type OutboundResponse } from "@vitaline/outbound";

/** The faults of a connection test, each with a sentence for the administrator that quotes nothing from the server. */
export const connectionFaults = {
  placeholder_left: "An address still contains a placeholder in braces. Replace it first.",
  address_refused: "This address is not allowed: it must be https and on the public internet, not in a private network.",
  dns: "The server's name cannot be resolved. Check the address for a typo.",
  tls_expired: "The server's TLS certificate has expired.",
  tls_not_yet_valid: "The server's TLS certificate is not valid yet. Wait until it is, or have the server use its previous one.",
  tls_wrong_host: "The server's TLS certificate is for another host name.",
  tls_untrusted: "The server's TLS certificate is not from a trusted authority, or TLS failed in another way.",
  unreachable: "The server cannot be reached, or closes the connection.",
  timeout: "The server did not answer in time.",
  redirect: "The server redirects to another address, which is not followed. Enter the final address.",
  too_large: "The server's answer is too large.",
  unavailable: "The server is out of service, or asks us to try again later.",
  html: "The address answers with a web page instead of FHIR. Check the base URL, or ask about a sign-in page in front of it.",
  not_fhir: "The address did not return FHIR. Check the base URL.",
  wrong_fhir_version: "The server's FHIR version differs from the one registered for this provider.",
  tenant_refused: "The server does not know the tenant in the address, or does not give this client access to it. Check the tenant ID.",
  discovery_missing: "The server does not publish a token endpoint. Enter the Token URL.",
  token_differs: "The server names another token endpoint than the Token URL entered. The Token URL entered is used.",
  token_elsewhere: "The server names a token endpoint on another host. Enter it as Token URL, so that the client secret may be sent there.",
  secret_not_taken: "The server does not accept client secrets. Use a key instead.",
  key_mismatch: "The private key does not belong to the certificate. Enter a matching pair.",
  wrong_algorithm: "The server does not accept this key's signature algorithm (RSA: RS384, RS256; EC P-384: ES384).",
  no_signing_key: "There is no key to sign with. Generate a platform key, or give the provider its own key.",
  invalid_client: "The server does not know this client, or does not accept its secret or key.",
  key_not_found: "The server does not find our public key. Register our JWKS address there, and wait as long as it keeps an older key set.",
  clock_skew: "The server's clock differs from ours, so it rejects our signature. Its clock must be corrected.",
  invalid_scope: "The server does not grant these scopes to this client.",
  token_refused: "The server refuses to issue a token to this client.",
  not_authorized: "The platform is not authorized at this server yet. Authorize the connection first.",
  authorization_ended: "The server no longer authorizes the platform. Authorize the connection again.",
  scope_reduced: "The server grants fewer scopes than were requested, so some tools may not work.",
  token_rejected: "The server does not accept the token that it has just issued.",
  forbidden: "The server does not allow this client to read the patient.",
  patient_not_found: "The server has no patient with this ID.",
} as const;

export type ConnectionFault = keyof typeof connectionFaults;

const bySystemCode: Record<string, ConnectionFault> = {
  ENOTFOUND: "dns",
  EAI_AGAIN: "dns",
  CERT_HAS_EXPIRED: "tls_expired",
  CERT_NOT_YET_VALID: "tls_not_yet_valid",
  ERR_TLS_CERT_ALTNAME_INVALID: "tls_wrong_host",
  DEPTH_ZERO_SELF_SIGNED_CERT: "tls_untrusted",
  SELF_SIGNED_CERT_IN_CHAIN: "tls_untrusted",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "tls_untrusted",
  UNABLE_TO_GET_ISSUER_CERT: "tls_untrusted",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "tls_untrusted",
  EPROTO: "tls_untrusted",
};
const byOutboundCode: Partial<Record<string, ConnectionFault>> = {
  outbound_refused: "address_refused",
  outbound_timeout: "timeout",
  outbound_redirect: "redirect",
  outbound_too_large: "too_large",
};

/** Undefined when the error is not about reaching the server. */
export function networkFault(error: unknown): ConnectionFault | undefined {
  for (let one = error; one instanceof Error; one = one.cause)
    if (one instanceof OutboundError) return byOutboundCode[one.code] ?? systemFault(one.cause) ?? "unreachable";
  return isAppError(error, "ehr_timeout") ? "timeout" : isAppError(error, "ehr_unavailable") ? "unavailable" : undefined;
}

/** https://nodejs.org/api/tls.html#x509-certificate-error-codes */
function systemFault(cause: unknown): ConnectionFault | undefined {
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
  return bySystemCode[code] ?? (/^(?:CERT_|ERR_SSL)/.test(code) ? "tls_untrusted" : undefined);
}

/** The fault of a response that cannot be FHIR or OAuth JSON; undefined for any other. */
export function responseFault(response: OutboundResponse): ConnectionFault | undefined {
  if (/html/i.test(String(response.headers["content-type"] ?? "")) || /^\s*<(!doctype )?html/i.test(response.text())) return "html";
  return response.status === 429 || response.status >= 500 ? "unavailable" : undefined;
}

/**
 * A multi-tenant server's refusal of our tenant. Some answer a plain 404, which counts when the URL contains a tenant (`hasTenantPath`).
 */
export function tenantFault({ status, text }: OutboundResponse, hasTenantPath: boolean | undefined): ConnectionFault | undefined {
  if (status !== 403 && status !== 404) return undefined;
  return /\btenant\b/i.test(text()) || (status === 404 && hasTenantPath) ? "tenant_refused" : undefined;
}
