/** The clients are loaded at their first use: most answers need none or one of them. */

type Lambda = typeof import("./lambda.ts");
export const invokeFunction: Lambda["invokeFunction"] = async (...given) => (await import("./lambda.ts")).invokeFunction(...given);
export const invokeAsync: Lambda["invokeAsync"] = async (...given) => (await import("./lambda.ts")).invokeAsync(...given);

type MailModule = typeof import("./messaging/mail.ts");
export const sendMail: MailModule["sendMail"] = async (...given) => (await import("./messaging/mail.ts")).sendMail(...given);
export const sendMailOnce: MailModule["sendMailOnce"] = async (...given) => (await import("./messaging/mail.ts")).sendMailOnce(...given);
export { mailFrom } from "./messaging/mail-from.ts";
export type { Attachment, Mail } from "./messaging/mail.ts";
export { parseReceipt, type MessageRef, type Receipt } from "./messaging/receipt.ts";
export type { Delivery } from "./messaging/send-once.ts";
type Sms = typeof import("./messaging/sms.ts");
export const sendText: Sms["sendText"] = async (...given) => (await import("./messaging/sms.ts")).sendText(...given);

type Archive = typeof import("./s3/archive.ts");
export const archiveFolders: Archive["archiveFolders"] = async (...given) => (await import("./s3/archive.ts")).archiveFolders(...given);
export const archiveMetadata: Archive["archiveMetadata"] = async (...given) => (await import("./s3/archive.ts")).archiveMetadata(...given);
export const getArchive: Archive["getArchive"] = async (...given) => (await import("./s3/archive.ts")).getArchive(...given);
export const putArchive: Archive["putArchive"] = async (...given) => (await import("./s3/archive.ts")).putArchive(...given);
export type { ArchiveMetadata } from "./s3/archive.ts";

type ExportFiles = typeof import("./s3/export-files.ts");
export const exportLink: ExportFiles["exportLink"] = async (...given) => (await import("./s3/export-files.ts")).exportLink(...given);
export const readExportFile: ExportFiles["readExportFile"] = async (...given) =>
  (await import("./s3/export-files.ts")).readExportFile(...given);
export const writeExportFile: ExportFiles["writeExportFile"] = async (...given) =>
  (await import("./s3/export-files.ts")).writeExportFile(...given);

type SealedFiles = typeof import("./s3/sealed-files.ts");
export const deleteFile: SealedFiles["deleteFile"] = async (...given) => (await import("./s3/sealed-files.ts")).deleteFile(...given);
export const deleteFiles: SealedFiles["deleteFiles"] = async (...given) => (await import("./s3/sealed-files.ts")).deleteFiles(...given);
export const getSealedFile: SealedFiles["getSealedFile"] = async (...given) =>
  (await import("./s3/sealed-files.ts")).getSealedFile(...given);
export const putSealedFile: SealedFiles["putSealedFile"] = async (...given) =>
  (await import("./s3/sealed-files.ts")).putSealedFile(...given);
export const setFileRetention: SealedFiles["setFileRetention"] = async (...given) =>
  (await import("./s3/sealed-files.ts")).setFileRetention(...given);
export const probeFiles: SealedFiles["probeFiles"] = async (...given) => (await import("./s3/sealed-files.ts")).probeFiles(...given);
export type { StoredFile } from "./s3/sealed-files.ts";

type Unarchived = typeof import("./s3/unarchived.ts");
export const forgetUnarchived: Unarchived["forgetUnarchived"] = async (...given) =>
  (await import("./s3/unarchived.ts")).forgetUnarchived(...given);
export const readUnarchived: Unarchived["readUnarchived"] = async (...given) =>
  (await import("./s3/unarchived.ts")).readUnarchived(...given);
export const unarchivedNames: Unarchived["unarchivedNames"] = async (...given) =>
  (await import("./s3/unarchived.ts")).unarchivedNames(...given);

type AppSecrets = typeof import("./secrets/app-secrets.ts");
export const readAppSecrets: AppSecrets["readAppSecrets"] = async () => (await import("./secrets/app-secrets.ts")).readAppSecrets();

type Kms = typeof import("./secrets/kms.ts");
export const createSigningKey: Kms["createSigningKey"] = async (...given) => (await import("./secrets/kms.ts")).createSigningKey(...given);
export const publicKey: Kms["publicKey"] = async (...given) => (await import("./secrets/kms.ts")).publicKey(...given);
export const sign: Kms["sign"] = async (...given) => (await import("./secrets/kms.ts")).sign(...given);
export type { SigningAlgorithm } from "./secrets/kms.ts";

type Secrets = typeof import("./secrets/secrets-manager.ts");
export const deleteFhirSecret: Secrets["deleteFhirSecret"] = async (...given) =>
  (await import("./secrets/secrets-manager.ts")).deleteFhirSecret(...given);
export const readFhirSecret: Secrets["readFhirSecret"] = async (...given) =>
  (await import("./secrets/secrets-manager.ts")).readFhirSecret(...given);
export const replaceFhirSecret: Secrets["replaceFhirSecret"] = async (...given) =>
  (await import("./secrets/secrets-manager.ts")).replaceFhirSecret(...given);
export const storeFhirSecret: Secrets["storeFhirSecret"] = async (...given) =>
  (await import("./secrets/secrets-manager.ts")).storeFhirSecret(...given);
export type { PinnedSecret } from "./secrets/secrets-manager.ts";

type Vault = typeof import("./secrets/vault.ts");
export const seal: Vault["seal"] = async (...given) => (await import("./secrets/vault.ts")).seal(...given);
export const unseal: Vault["unseal"] = async (...given) => (await import("./secrets/vault.ts")).unseal(...given);
export type { Purpose } from "./secrets/vault.ts";

type Rotate = typeof import("./secrets/rotate.ts");
export const rotateSecret: Rotate["rotateSecret"] = async (...given) => (await import("./secrets/rotate.ts")).rotateSecret(...given);
