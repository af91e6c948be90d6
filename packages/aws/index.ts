export { getSealedFile, putSealedFile, type StoredFile } from "./files.ts";
export { createSigningKey, publicKey, sign, type SigningAlgorithm } from "./kms.ts";
export { createFhirSecret, readFhirSecret, type PinnedSecret } from "./secrets.ts";
export { seal, unseal, type Purpose } from "./vault.ts";
