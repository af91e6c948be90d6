import { createPrivateKey, type KeyObject, X509Certificate } from "node:crypto";
import { readFhirSecret, storeFhirSecret } from "@vitaline/aws";
import type { NewFhirProvider } from "@vitaline/contract";
import { AppError } from "@vitaline/core";
import { keyAlgorithms } from "@vitaline/fhir";
import type { FhirProviderRow } from "@vitaline/store";
import type { Addresses } from "./addresses.ts";

type ClientAuth = NonNullable<FhirProviderRow["clientAuth"]>;
type Given = Pick<NewFhirProvider, "clientAuth" | "clientSecret" | "privateKey" | "certificateData"> & {
  removeClientSecret?: boolean | undefined;
  removePrivateKey?: boolean | undefined;
};
export type Credentials = Pick<FhirProviderRow, "clientAuth" | "clientSecret" | "privateKey" | "certificateData">;

export const clientAuthOf = ({ clientAuth, clientSecret }: Credentials): ClientAuth =>
  clientAuth ?? (clientSecret ? "client_secret" : "platform_key");

/** Whether a provider's own key and certificate are a pair, as far as both are there and the key is in use. */
export async function keyMatchesCertificate(row: Credentials): Promise<boolean> {
  const { certificateData, privateKey } = row;
  if (clientAuthOf(row) !== "own_key" || certificateData === undefined || privateKey === undefined) return true;
  return new X509Certificate(certificateData).checkPrivateKey(createPrivateKey(await readFhirSecret(privateKey)));
}

/**
 * A provider's credentials after a change, with new secrets stored. Who does not name `clientAuth` gets what they gave: a secret
 * means client_secret, a private key own_key; nothing of the kind leaves a provider as it is, and a new one with the platform's key.
 * A secret that is there but empty was asked for, so on creation it is missing. A provider that a tenant keeps never gets the
 * platform's key. AppError `invalid_request` names the field.
 */
export async function storeCredentials(id: string, given: Given, ownerTenantId?: string, current?: Credentials): Promise<Credentials> {
  const { certificateData } = given;
  const secretKept = given.removeClientSecret ? undefined : current?.clientSecret;
  const keyKept = given.removePrivateKey ? undefined : current?.privateKey;
  const hasSecret = Boolean(given.clientSecret) || secretKept !== undefined;
  const hasKey = given.privateKey !== undefined || keyKept !== undefined;

  const clientAuth = given.clientAuth ?? choose(given, current && clientAuthOf(current), hasSecret, hasKey);
  const secretIsMissing = clientAuth === "client_secret" || (!current && given.clientAuth === undefined && given.clientSecret === "");
  if (secretIsMissing && !hasSecret) throw refused("clientSecret", "Client Secret is required");
  if (clientAuth === "platform_key" && ownerTenantId !== undefined)
    throw refused("clientAuth", "A provider of your own needs a client secret or a private key");
  if (clientAuth === "own_key" && !hasKey) throw refused("privateKey", "Private key is required");

  const certificate = certificateData === undefined ? undefined : readCertificate(certificateData);
  const key = given.privateKey === undefined ? undefined : readKey(given.privateKey);
  const certificateIsNew = certificateData !== current?.certificateData;
  const pair = key ?? (certificateIsNew && certificate && keyKept ? createPrivateKey(await readFhirSecret(keyKept)) : undefined);
  if (certificate && pair && !certificate.checkPrivateKey(pair))
    throw refused(key ? "privateKey" : "certificateData", key ? "Does not match the certificate" : "Does not match the private key");

  return {
    clientAuth,
    certificateData,
    clientSecret: given.clientSecret ? await storeFhirSecret(`${id}/client-secret`, given.clientSecret) : secretKept,
    privateKey: given.privateKey && key ? await storeKey(id, given.privateKey, key) : keyKept,
  };
}

function choose({ clientSecret, privateKey }: Given, current: ClientAuth | undefined, hasSecret: boolean, hasKey: boolean): ClientAuth {
  if (clientSecret || (current === "client_secret" && hasSecret)) return "client_secret";
  return privateKey !== undefined || (current === "own_key" && hasKey) ? "own_key" : "platform_key";
}

function readCertificate(pem: string): X509Certificate {
  try {
    const certificate = pem.startsWith("-----BEGIN CERTIFICATE-----") ? new X509Certificate(pem) : undefined;
    if (certificate && !Number.isNaN(Date.parse(certificate.validTo))) return certificate;
  } catch {
    // Said below, as for what is no PEM at all.
  }
  throw refused("certificateData", "Must be an X.509 certificate in PEM form");
}

async function storeKey(id: string, pem: string, { asymmetricKeyType }: KeyObject): Promise<FhirProviderRow["privateKey"]> {
  const pinned = await storeFhirSecret(`${id}/private-key`, pem);
  return asymmetricKeyType === "ec" ? { ...pinned, type: "EC" } : pinned;
}

/** A secret goes to the addresses that it was typed for, also when it is not in use just now. AppError `invalid_request`. */
export function requireSecretAgain(given: Given, current: Credentials, isElsewhere: boolean): void {
  if (isElsewhere && current.clientSecret && !given.clientSecret && !given.removeClientSecret)
    throw refused("clientSecret", "The address has changed, so please type the client secret again.");
}

/**
 * Tokens go to the base address that they were asked for. Whoever signs gets them without typing a secret anew, so a new server does
 * not get those of the server before: its token address is entered anew too, or left to it. AppError `invalid_request`.
 */
export function requireTokenUrlAgain(before: FhirProviderRow, after: Addresses & Credentials): void {
  const moved = new URL(before.baseUrl).origin !== new URL(after.baseUrl).origin;
  if (!moved || clientAuthOf(after) === "client_secret" || after.tokenUrl === undefined || after.tokenUrl !== before.tokenUrl) return;
  if (new URL(after.tokenUrl).origin === new URL(after.baseUrl).origin) return;
  throw refused("tokenUrl", "The server has changed, so please enter its Token URL, or leave it empty to let the server name it.");
}

/** What we can sign with; the passphrase of an encrypted key would have to be kept beside it, so there is none. */
function readKey(pem: string): KeyObject {
  const key = parseKey(pem);
  if (keyAlgorithms(key).length === 0) throw refused("privateKey", "Must be an RSA key of at least 2048 bits, or an EC key on P-384");
  return key;
}

function parseKey(pem: string): KeyObject {
  try {
    return createPrivateKey(pem);
  } catch {
    throw refused("privateKey", "Must be an unencrypted private key in PEM form");
  }
}

const refused = (field: string, sentence: string): AppError => new AppError("invalid_request", sentence, { fields: { [field]: sentence } });
