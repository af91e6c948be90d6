import { createHash, createPublicKey } from "node:crypto";
import { CreateKeyCommand, GetPublicKeyCommand, KMSClient, SignCommand } from "@aws-sdk/client-kms";
import { AppError, envReader } from "@vitaline/core";
import { clientsPerTenant } from "@vitaline/tenant-access";
import * as z from "zod/mini";
import { asUnavailable } from "../unavailable.ts";

const clients = clientsPerTenant<KMSClient>(
  (session) => new KMSClient({ maxAttempts: 3, requestHandler: { connectionTimeout: 1000, requestTimeout: 3000 }, ...session }),
);
export const kms = (tenantId?: string): KMSClient => clients(tenantId);

export type SigningAlgorithm = "RS256" | "RS384";
const algorithms = {
  RS256: { hash: "sha256", kms: "RSASSA_PKCS1_V1_5_SHA_256" },
  RS384: { hash: "sha384", kms: "RSASSA_PKCS1_V1_5_SHA_384" },
} as const;

/** A JWS signature (RFC 7518). KMS gets only the digest, so the input has no length limit. */
export async function sign(keyArn: string, algorithm: SigningAlgorithm, input: string): Promise<Buffer> {
  const { hash, kms: SigningAlgorithm } = algorithms[algorithm];
  const Message = createHash(hash).update(input).digest();
  const { Signature } = await kms()
    .send(new SignCommand({ KeyId: keyArn, Message, MessageType: "DIGEST", SigningAlgorithm }))
    .catch((error: unknown) => {
      throw asUnavailable(error);
    });
  return Buffer.from(Signature ?? []);
}

/** The public key's modulus and exponent in base64url. */
export async function publicKey(keyArn: string): Promise<{ n: string; e: string }> {
  const { PublicKey } = await kms()
    .send(new GetPublicKeyCommand({ KeyId: keyArn }))
    .catch((error: unknown) => {
      throw asUnavailable(error);
    });
  const { n = "", e = "" } = createPublicKey({ key: Buffer.from(PublicKey ?? []), format: "der", type: "spki" }).export({ format: "jwk" });
  return { n, e };
}

const signingKeys = {
  "platform-signing": { spec: "RSA_3072", description: "Vitaline platform signing key (SMART Backend Services)" },
  "session-signing": { spec: "RSA_2048", description: "Vitaline session key" },
} as const;

// Set only for the function that creates keys.
const environment = envReader(z.object({ STAGE: z.string() }));

/** Creates a signing key in KMS; its tags permit functions of the stage to sign with it. Returns the ARN. */
export async function createSigningKey(use: keyof typeof signingKeys, stage = environment().STAGE): Promise<string> {
  const { spec, description } = signingKeys[use];
  const { KeyMetadata } = await kms()
    .send(
      new CreateKeyCommand({
        KeySpec: spec,
        KeyUsage: "SIGN_VERIFY",
        Origin: "AWS_KMS",
        Description: description,
        Tags: [
          { TagKey: "vitaline:use", TagValue: use },
          { TagKey: "vitaline:stage", TagValue: stage },
        ],
      }),
    )
    .catch((error: unknown) => {
      throw asUnavailable(error);
    });
  if (!KeyMetadata?.Arn) throw new AppError("unavailable", "The signing key could not be created. Please try again.");
  return KeyMetadata.Arn;
}
