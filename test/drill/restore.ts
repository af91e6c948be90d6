import { execFile } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";
import {
  DescribeTableCommand,
  DynamoDBClient,
  RestoreTableToPointInTimeCommand,
  UpdateContinuousBackupsCommand,
  UpdateTableCommand,
  UpdateTimeToLiveCommand,
} from "@aws-sdk/client-dynamodb";
import { BatchWriteCommand, DynamoDBDocumentClient, ScanCommand } from "@aws-sdk/lib-dynamodb";
import { readFhirSecret, storeFhirSecret, type PinnedSecret } from "@vitaline/aws";
import { readCall, recordCallEvent } from "@vitaline/calls";
import { newId } from "@vitaline/core";
import { approveErasure, requestErasure, runErasure } from "@vitaline/erasures";
import { keys, put, update } from "@vitaline/store";
import { createTenant } from "@vitaline/tenants";
import { handler as archive } from "../../functions/events/archive/handler.ts";
import { startTestAws, type TestAws } from "../kit/aws.ts";

const archiveBucket = "vitaline-drill-archive";
const restored = "vitaline-restored";
const providerId = "p".repeat(26);
const writers = 8;
const project = path.resolve(import.meta.dirname, "../..");

export type RestoreReport = {
  /** Seconds of data that are lost: from the restored second to the loss. */
  rpoSeconds: number;
  /** Seconds from the loss until the restored table is verified and open. */
  rtoSeconds: number;
  calls: { kept: number; lost: number; missing: number; unreadable: number };
  /** Rows of erased people and tenants that came back. */
  cameBack: number;
  secretsUnreadable: number;
  /** Appointments that only the record system knows, and those of them that the reconciliation named. */
  appointments: { booked: number; named: number };
  verification: string;
};

type Drill = { it: TestAws; db: DynamoDBDocumentClient; print: (line: string) => void };

/**
 * Tries the procedure "Restore" of infra/README.md on the embedded AWS: writes under load, loses the table, restores it to a point in
 * time, reconciles it with what outlived it, opens it and verifies it.
 */
export async function drillRestore(print: (line: string) => void): Promise<RestoreReport> {
  const it = await startTestAws();
  const db = DynamoDBDocumentClient.from(new DynamoDBClient({}), { marshallOptions: { removeUndefinedValues: true } });
  try {
    return await run({ it, db, print });
  } finally {
    await it.close();
  }
}

async function run({ it, db, print }: Drill): Promise<RestoreReport> {
  const source = process.env["TABLE_NAME"] ?? "";
  await it.aws.s3.ensureBucket({ name: archiveBucket, versioned: true, objectLock: { days: 2562, mode: "COMPLIANCE" } });
  process.env = { ...process.env, ARCHIVE_BUCKET: archiveBucket };
  await db.send(
    new UpdateContinuousBackupsCommand({ TableName: source, PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true } }),
  );
  const [one, two, three] = await Promise.all(["Clinic One", "Clinic Two", "Clinic Three"].map((name) => tenantOf(it, name)));
  const secrets = [await connect(it, String(one)), await connect(it, String(two))];

  print("Writing under load, with an erasure before and two after the point in time.");
  const tenants = [one, two, three].map(String);
  const early = await load(it, tenants, 5);
  await erase(it, tenants[0]!, { kind: "patient", fhirProviderId: providerId, patientId: "pat-early" });
  await archiveAll(it);
  const point = new Date((Math.floor(Date.now() / 1000) + 1) * 1000);
  await new Promise((done) => setTimeout(done, point.getTime() - Date.now() + 1000));
  const late = await load(it, tenants.slice(0, 2), 3, "booked");
  await erase(it, tenants[1]!, { kind: "patient", fhirProviderId: providerId, patientId: "pat-late" });
  await deactivate(it, tenants[2]!);
  await erase(it, tenants[2]!, { kind: "tenant", confirmName: "Clinic Three" });
  await archiveAll(it);

  const lostAt = Date.now();
  print("Losing the table: every row is deleted.");
  await deleteEverything(db, source);

  print(`2. Restore to ${point.toISOString()}.`);
  await db.send(new RestoreTableToPointInTimeCommand({ SourceTableName: source, TargetTableName: restored, RestoreDateTime: point }));
  print("3. Reconcile with the archive.");
  const reconciled = await command("functions/audit/reconcile-cli.ts", [
    ...target,
    ...["--files", process.env["FILES_BUCKET"] ?? ""],
    ...["--vault-key", process.env["VAULT_KEY_ARN"] ?? ""],
    ...["--hashes-secret", process.env["HASHES_SECRET_ARN"] ?? ""],
  ]);
  print(reconciled.trimEnd());
  print("4. Switch on the stream, TTL and point-in-time recovery.");
  await db.send(
    new UpdateTableCommand({ TableName: restored, StreamSpecification: { StreamEnabled: true, StreamViewType: "NEW_AND_OLD_IMAGES" } }),
  );
  await db.send(
    new UpdateTimeToLiveCommand({ TableName: restored, TimeToLiveSpecification: { Enabled: true, AttributeName: "expiresAt" } }),
  );
  await db.send(
    new UpdateContinuousBackupsCommand({ TableName: restored, PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true } }),
  );
  const { Table } = await db.send(new DescribeTableCommand({ TableName: restored }));
  print(`5. Open: tableName ${restored}, tableStreamArn ${Table?.LatestStreamArn}.`);
  process.env = { ...process.env, TABLE_NAME: restored };
  print("7. Verify.");
  const verification = await command("functions/audit/verify-cli.ts", target).catch((error: { stdout?: string }) => error.stdout ?? "");
  print(verification.trimEnd());
  const rtoSeconds = (Date.now() - lostAt) / 1000;

  const left = await everything(db, restored);
  const kept = early.filter((one) => !isErased(one, tenants));
  const outcomes = await Promise.all(kept.map(({ tenantId, callKey }) => contentOf(it, tenantId, callKey)));
  const report: RestoreReport = {
    rpoSeconds: (lostAt - point.getTime()) / 1000,
    rtoSeconds,
    calls: {
      kept: kept.length,
      lost: late.length,
      missing: outcomes.filter((outcome) => outcome === "missing").length,
      unreadable: outcomes.filter((outcome) => outcome === "unreadable").length,
    },
    cameBack:
      left.filter(({ pk }) => new RegExp(`^TENANT#${tenants[2]}#(?!AUDIT#|CHAIN)`).test(String(pk))).length +
      (await contentsOfErased(it, early, tenants)),
    secretsUnreadable: (
      await Promise.all(
        secrets.map((secret) =>
          readFhirSecret(secret, undefined).then(
            () => 0,
            () => 1,
          ),
        ),
      )
    ).reduce((a, b) => a + b, 0),
    appointments: {
      booked: late.length,
      named: late.filter(({ appointmentId }) => reconciled.includes(`appointment ${appointmentId} `)).length,
    },
    verification,
  };
  print(`RPO ${report.rpoSeconds.toFixed(1)} s, RTO ${report.rtoSeconds.toFixed(1)} s.`);
  return report;
}

const target = ["--table", restored, "--bucket", archiveBucket, "--certificate-key"];

/** The commands know what their options name, and nothing else. */
const withoutResources = (): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(TABLE_NAME|[A-Z]+_BUCKET|[A-Z_]+_ARNS?)$/.test(name)));

const command = async (file: string, options: readonly string[]): Promise<string> => {
  const args = options.flatMap((option) =>
    option === "--certificate-key" ? [option, process.env["CERTIFICATE_KEY_ARN"] ?? ""] : [option],
  );
  const { stdout } = await promisify(execFile)(process.execPath, [path.join(project, file), ...args], { env: withoutResources() });
  return stdout;
};

const as = (it: TestAws, id: string) => it.platform({ kind: "user", id, role: "system_admin" });

const tenantOf = async (it: TestAws, name: string): Promise<string> =>
  (await createTenant(as(it, "anna"), { name, contactEmail: `office@${newId()}.example`, organizationType: "clinic" })).id;

const deactivate = (it: TestAws, tenantId: string): Promise<void> =>
  as(it, "anna")
    .platform.inTenant(tenantId)
    .commit([update(keys.tenantConfig(), { set: { isActive: false } as never })], {
      category: "configuration_change",
      action: "tenant.update",
      resourceType: "Tenant",
    });

/** The record system, with a secret in Secrets Manager, which a restore does not touch. */
async function connect(it: TestAws, tenantId: string): Promise<PinnedSecret> {
  await as(it, "anna").platform.commit([put(keys.fhirProvider(providerId), { id: providerId, name: "EHR" } as never)], {
    category: "configuration_change",
    action: "fhirProvider.create",
    resourceType: "FhirProvider",
  });
  return storeFhirSecret(`${tenantId}/client-secret`, "secret");
}

type Call = { tenantId: string; callKey: string; patientId: string; appointmentId: string };
const patients = ["pat-early", "pat-late", "pat-other"];

/** Calls of several patients in each tenant, several at once, each with a transcript in the files bucket. */
async function load(it: TestAws, tenants: readonly string[], rounds: number, patient?: string): Promise<Call[]> {
  const calls: Call[] = [];
  for (let round = 0; round < rounds; round++)
    calls.push(
      ...(await Promise.all(
        Array.from({ length: writers }, (_, at) => call(it, tenants[at % tenants.length]!, patient ?? patients[(at + round) % 3]!)),
      )),
    );
  return calls;
}

async function call(it: TestAws, tenantId: string, patientId: string): Promise<Call> {
  const ctx = it.inTenant(tenantId, { kind: "api_key", id: "key", tenantId });
  const callId = newId();
  const appointmentId = `appointment-${newId()}`;
  await recordCallEvent(ctx, {
    platform: "vapi",
    callId,
    status: "completed",
    endedReason: "customer-ended-call",
    startedAt: new Date(Date.now() - 60_000).toISOString(),
    endedAt: new Date().toISOString(),
    summary: "A visit was booked",
    transcript: { text: `A visit for ${patientId}` },
  });
  const callKey = keys.callKeyOf("vapi", callId);
  await ctx.store.commit([], {
    category: "patient_access",
    action: "tool.scheduleAppointment",
    resourceType: "Patient",
    resourceId: patientId,
    callKey,
    detail: { appointmentId, fhirProviderId: providerId },
  });
  return { tenantId, callKey, patientId, appointmentId };
}

type Subject = Parameters<typeof requestErasure>[2] extends infer Wanted
  ? Wanted extends { reason: unknown }
    ? Omit<Wanted, "reason">
    : never
  : never;

async function erase(it: TestAws, tenantId: string, subject: Subject): Promise<void> {
  const { id } = await requestErasure(as(it, "anna"), tenantId, { ...subject, reason: "patient_request" } as never);
  // The function that approval starts does not run here
  await approveErasure(as(it, "ben"), id).catch(() => undefined);
  const ctx = { ...it.platform({ kind: "system", id: "erase" }), pause: async () => {} };
  await runErasure(ctx, id);
}

/** What events/archive does with the table's stream. */
async function archiveAll(it: TestAws): Promise<void> {
  const stream = it.aws.dynamodb.stream(process.env["TABLE_NAME"] ?? "");
  for (let Records = await stream.read("archive", 500); Records.length > 0; Records = await stream.read("archive", 500)) {
    await archive({ shardId: "shard-1", Records }, { awsRequestId: "drill", getRemainingTimeInMillis: () => 60_000 });
    await stream.ack("archive", Records.at(-1)?.dynamodb.SequenceNumber ?? "");
  }
}

async function everything(db: DynamoDBDocumentClient, TableName: string): Promise<Record<string, unknown>[]> {
  const rows: Record<string, unknown>[] = [];
  for (let ExclusiveStartKey: Record<string, unknown> | undefined, more = true; more; more = ExclusiveStartKey !== undefined) {
    const page = await db.send(new ScanCommand({ TableName, ExclusiveStartKey }));
    rows.push(...(page.Items ?? []));
    ExclusiveStartKey = page.LastEvaluatedKey;
  }
  return rows;
}

async function deleteEverything(db: DynamoDBDocumentClient, TableName: string): Promise<void> {
  const rows = await everything(db, TableName);
  for (let from = 0; from < rows.length; from += 25)
    await db.send(
      new BatchWriteCommand({
        RequestItems: { [TableName]: rows.slice(from, from + 25).map(({ pk, sk }) => ({ DeleteRequest: { Key: { pk, sk } } })) },
      }),
    );
}

/** A call's text, which is in the files bucket. */
const contentOf = async (it: TestAws, tenantId: string, callKey: string): Promise<"read" | "missing" | "unreadable"> => {
  if (!(await it.inTenant(tenantId).store.get(keys.call(callKey)))) return "missing";
  const found = await readCall(it.inTenant(tenantId), callKey).catch(() => undefined);
  return found?.summary === "A visit was booked" ? "read" : "unreadable";
};

/** A tenant is erased whole; of the two others one patient each, whom the other one still has. */
const isErased = ({ tenantId, patientId }: Call, [one, two, three]: readonly string[]): boolean =>
  tenantId === three || (tenantId === one && patientId === "pat-early") || (tenantId === two && patientId === "pat-late");

async function contentsOfErased(it: TestAws, calls: readonly Call[], tenants: readonly string[]): Promise<number> {
  const erased = calls.filter((one) => isErased(one, tenants));
  const outcomes = await Promise.all(
    erased.map(({ tenantId, callKey }) =>
      readCall(it.inTenant(tenantId), callKey).then(
        () => 1,
        () => 0,
      ),
    ),
  );
  return outcomes.reduce<number>((a, b) => a + b, 0);
}
