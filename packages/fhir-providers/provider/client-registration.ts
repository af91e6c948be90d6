import { createPrivateKey } from "node:crypto";
import { readFhirSecret } from "@vitaline/aws";
import { digest } from "@vitaline/core";
import { type ClientRegistration, type Signers, signWithKey } from "@vitaline/fhir";
import { signWithPlatformKey } from "@vitaline/platform-keys";
import type { FhirProviderRow } from "@vitaline/store";
import type { PlatformContext } from "@vitaline/store/platform.ts";
import { clientAuthOf } from "./credentials.ts";

/**
 * Our client at a provider, with the credentials that it is to use and no others. The platform's key never signs for a provider
 * that a tenant keeps: its addresses are the tenant's choice, and a token that others' registrations earn would go there. With a secret
 * or key of its own, whatever token endpoint its server names, a tenant earns no token but those of its own registration.
 */
export function clientRegistration(ctx: PlatformContext, row: FhirProviderRow): ClientRegistration {
  const { baseUrl, clientId, scopes, tokenUrl, clientSecret, privateKey } = row;
  const auth = clientAuthOf(row);
  const signers = (): Signers => {
    if (auth === "own_key" && privateKey) return signersWith(privateKey);
    if (auth !== "platform_key" || row.ownerTenantId !== undefined) return {};
    return { sign: (...asked) => signWithPlatformKey(ctx, ...asked) };
  };
  return {
    ...{ baseUrl, clientId, scopes, tokenUrl },
    clientSecret: auth === "client_secret" && clientSecret ? () => readFhirSecret(clientSecret) : undefined,
    ...signers(),
  };
}

function signersWith(pinned: NonNullable<FhirProviderRow["privateKey"]>): Signers {
  const key = async () => createPrivateKey(await readFhirSecret(pinned));
  return pinned.type === "EC"
    ? { signEc: async (...asked) => signWithKey(await key(), ...asked) }
    : { sign: async (...asked) => signWithKey(await key(), ...asked) };
}

/** One connection: after a change of address, client, scopes, grant or credentials it is another one. */
export const connectionDigest = (row: FhirProviderRow): string =>
  digest(
    "fhir-connection",
    ...[row.id, row.baseUrl, row.fhirVersion, row.clientId, row.scopes, row.tokenUrl ?? "", clientAuthOf(row), grantOf(row)],
    ...[row.clientSecret?.versionId ?? "", row.privateKey?.versionId ?? "", row.certificateData ?? ""],
  );

export const grantOf = ({ grant = "client_credentials" }: Pick<FhirProviderRow, "grant">) => grant;

/** What somebody lets us in at: a server, a client of it and rights; how the client shows who it is may change meanwhile. */
export const consentDigest = ({ id, baseUrl, tokenUrl = "", authUrl = "", clientId, scopes }: FhirProviderRow): string =>
  digest("fhir-consent", id, baseUrl, tokenUrl, authUrl, clientId, scopes);

/** Whether somebody has let us in at this very connection, as far as that is needed. */
export const isAuthorized = (row: FhirProviderRow): boolean =>
  grantOf(row) === "authorization_code" && row.authorizedFor === consentDigest(row);
