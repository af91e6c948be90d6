import { readFileSync } from "node:fs";
import path from "node:path";
import * as z from "zod/mini";

const LocalPlatform = z.object({
  awsUrl: z.url(),
  region: z.string(),
  tableName: z.string(),
  archiveBucket: z.string(),
  unarchivedBucket: z.string(),
  certificateKeyArn: z.string(),
  vaultKeyArn: z.string(),
  hashesSecretArn: z.string(),
  accessKeyId: z.string(),
  secretAccessKey: z.string(),
});

/** Configures the environment for the platform on this machine (VITALINE_DATA, .local). Returns the path of its data file if that is missing. */
export function useLocalPlatform(): { missing?: string } {
  const file = path.join(process.env["VITALINE_DATA"] ?? ".local", "local.json");
  try {
    const local = LocalPlatform.parse(JSON.parse(readFileSync(file, "utf8")));
    Object.assign(process.env, {
      TABLE_NAME: local.tableName,
      ARCHIVE_BUCKET: local.archiveBucket,
      UNARCHIVED_BUCKET: local.unarchivedBucket,
      CERTIFICATE_KEY_ARN: local.certificateKeyArn,
      VAULT_KEY_ARN: local.vaultKeyArn,
      HASHES_SECRET_ARN: local.hashesSecretArn,
      AWS_ENDPOINT_URL: local.awsUrl,
      AWS_REGION: local.region,
      AWS_ACCESS_KEY_ID: local.accessKeyId,
      AWS_SECRET_ACCESS_KEY: local.secretAccessKey,
    });
    return {};
  } catch {
    return { missing: file };
  }
}
