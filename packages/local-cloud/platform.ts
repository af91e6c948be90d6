import type { IncomingMessage, ServerResponse } from "node:http";
import path from "node:path";
import { type SandboxEhr, startSandboxEhr } from "@vitaline/sandbox-ehr";
import { type SandboxVoice, startSandboxVoice } from "@vitaline/sandbox-voice";
import type { AwsOptions, Usage } from "./aws/index.ts";
import { type Cloud, type CloudOptions, startCloud } from "./cloud.ts";
import { type Demo, demoOf, removeDemoFile, isCurrentDemo, writeDemo } from "./demo/file.ts";
import { type History, type HistorySize, makeHistory } from "./demo/history.ts";
import { seedDemo } from "./demo/seed.ts";
import { type StateFile, writePrivately } from "./demo/state.ts";
import { type Logs, openLogs } from "./lambda/logs.ts";
import { type Progress, silent, StartError } from "./lib/run.ts";
import { takeDataFolder } from "./runtime/data-folder.ts";
import { offersFrom } from "./runtime/offers.ts";
import { outboxPath, type Sent, sentOf, serveOutbox } from "./runtime/outbox.ts";
import { choosePorts, type Ports } from "./runtime/settings.ts";
import { buildWeb, checkTools, sandboxPlaceholder, synthesize } from "./runtime/prepare.ts";

export type PlatformOptions = {
  port: number;
  dataDir: string;
  quiet?: boolean;
  printLog?: (line: string) => void;
  empty?: boolean;
  reset?: boolean;
  /** The past of the demo's clinics, which is made once the platform runs; without it there is none. */
  history?: HistorySize | undefined;
  /** The public site shows all that a stage's settings may add to it. */
  hasOffers?: boolean;
  /** A line about the history. */
  tellHistory?: (line: string) => void;
  egress?: string[];
  /** A restored table to serve instead of the stack's own. */
  settings?: { tableName: string; tableStreamArn: string };
  mutateTemplate?: CloudOptions["mutateTemplate"];
  fault?: AwsOptions["fault"];
  prepareFunction?: CloudOptions["prepareFunction"];
  asyncRetryMs?: CloudOptions["asyncRetryMs"];
  clock?: CloudOptions["clock"];
  evaluatesAlarms?: CloudOptions["evaluatesAlarms"];
  intercept?: CloudOptions["intercept"];
  progress?: Progress;
  signal?: AbortSignal;
};

export type Platform = {
  origin: string;
  awsUrl: string;
  dataDir: string;
  logFile: string;
  sandbox: SandboxEhr;
  voice: SandboxVoice;
  demo?: Demo;
  history?: History;
  cloud: Cloud;
  usage(since?: number): Usage[];
  close(): Promise<void>;
};

const project = path.resolve(import.meta.dirname, "../..");

/** Starts the CDK app, a sandbox EHR and sandbox voice platforms, and adds demo data. */
export async function startPlatform(options: PlatformOptions): Promise<Platform> {
  const { dataDir, egress = [], settings, progress = silent, signal } = options;
  checkTools(project);
  const ports = await choosePorts(options.port);
  const folder = await takeDataFolder(dataDir, options.reset ?? false);
  const started: { close(): Promise<void> }[] = [{ close: () => folder.release() }];
  const close = async (): Promise<void> => {
    for (const part of started.splice(0).reverse()) await part.close();
  };
  try {
    // The old file describes the last run; it is written again once everything runs
    if (!options.empty) removeDemoFile(dataDir);
    const wordOf = (state: "built" | "unchanged") => state;
    await progress("Web app", () => buildWeb(project, signal), wordOf);
    const { assembly } = await progress(
      "Functions and infrastructure",
      () =>
        synthesize(project, {
          egress: [sandboxPlaceholder, ...egress],
          // Beside the data, as no other platform can use it
          ...(settings && { other: { settings, folder: path.join(dataDir, "assemblies") } }),
          signal,
        }),
      ({ state }) => state,
    );
    const logs = openLogs(
      path.join(dataDir, "logs"),
      options.quiet ? undefined : (options.printLog ?? ((line) => void process.stdout.write(`${line}\n`))),
    );
    started.push(logs);

    let cloud: Cloud | undefined;
    const sandbox = await progress("Sandbox EHR", () =>
      openData(dataDir, () =>
        startSandboxEhr({
          port: ports.ehr,
          dataDir: path.join(dataDir, "ehr"),
          openReads: true,
          jwksUrl: () => `${cloud?.origin}/.well-known/jwks.json`,
        }),
      ),
    );
    started.push(sandbox);
    const voice = await progress("Sandbox voice platforms", () => openData(dataDir, () => startSandboxVoice({ port: ports.voice })));
    started.push(voice);
    cloud = await progress("Cloud", () =>
      openData(dataDir, () =>
        startCloud(cloudOptions(options, { assembly, ports, logs, sandbox, voice, sent: () => (cloud ? sentOf(cloud.aws) : []) })),
      ),
    );
    started.push(cloud);
    signal?.throwIfAborted();
    writeLocalFile(dataDir, cloud);
    const { aws, origin } = cloud;
    if (options.empty && !isCurrentDemo(dataDir, origin, sandbox)) removeDemoFile(dataDir);
    const seeded = options.empty ? undefined : await progress("Demo data", () => addDemo(cloud, { dataDir, sandbox, voice, signal }));
    const history =
      seeded && options.history && startHistory(options, cloud, { ...seeded, ehrOrigin: sandbox.origin, size: options.history });
    if (history) started.push({ close: () => history.stop() });
    const { file: logFile } = logs;
    const usage: Platform["usage"] = (since) => aws.dynamodb.usage({ since });
    return { origin, awsUrl: aws.url, dataDir, logFile, sandbox, voice, demo: seeded?.demo, history, cloud, usage, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Its failure is told, and is none of the platform's. */
function startHistory({ tellHistory }: PlatformOptions, cloud: Cloud, what: StateFile & { ehrOrigin: string; size: HistorySize }): History {
  const history = makeHistory({ ...what, project, cloud, tell: tellHistory });
  history.done.catch((error: unknown) => tellHistory?.((error as Error).message));
  return history;
}

type Sandboxes = { sandbox: SandboxEhr; voice: SandboxVoice };

function cloudOptions(
  options: PlatformOptions,
  { assembly, ports, logs, sandbox, voice, sent }: Sandboxes & { assembly: string; ports: Ports; logs: Logs; sent: () => Sent[] },
): CloudOptions {
  const {
    dataDir,
    egress = [],
    mutateTemplate,
    fault,
    prepareFunction = (spec) => spec,
    hasOffers = false,
    intercept,
    asyncRetryMs,
    clock,
    evaluatesAlarms,
  } = options;
  const offers = hasOffers ? offersFrom(voice.calendarUrl) : undefined;
  return {
    assembly,
    port: ports.edge,
    awsPort: ports.aws,
    dataDir,
    logs,
    mutateTemplate(template, stackName) {
      offers?.mutateTemplate(template, stackName);
      mutateTemplate?.(template, stackName);
    },
    fault,
    asyncRetryMs,
    clock,
    evaluatesAlarms,
    prepareFunction: (spec) => prepareFunction(withEgress(offers?.withOffers(spec) ?? spec, [sandbox.origin, voice.origin, ...egress])),
    intercept: (request: IncomingMessage, response: ServerResponse) =>
      serveOutbox(sent, request, response) || (intercept?.(request, response) ?? false),
  };
}

const egressVariable = "EGRESS_LOOPBACK_ORIGINS";

const withEgress: (spec: Parameters<NonNullable<CloudOptions["prepareFunction"]>>[0], origins: string[]) => typeof spec = (spec, origins) =>
  spec.env[egressVariable] === undefined ? spec : { ...spec, env: { ...spec.env, [egressVariable]: origins.join(",") } };

/** Reports unreadable data as a StartError about the data folder. */
async function openData<T>(dataDir: string, open: () => Promise<T>): Promise<T> {
  try {
    return await open();
  } catch (cause) {
    if (cause instanceof StartError) throw cause;
    const { message, code } = cause as NodeJS.ErrnoException;
    if (code === "EADDRINUSE") throw new StartError("A port was taken while the platform started: start it again.", { cause });
    throw new StartError(
      `The data folder ${dataDir} cannot be read (${message}): start over with npm start -- --reset, or name another in VITALINE_DATA.`,
      { cause },
    );
  }
}

const variableOf = (functions: Cloud["functions"], name: string): string | undefined =>
  functions.map(({ env }) => env[name]).find((value) => value !== undefined);

function writeLocalFile(
  dataDir: string,
  { aws, lockedBuckets, failureBuckets, certificateKeyArn, functions, region, operator }: Cloud,
): void {
  const names = {
    tableName: variableOf(functions, "TABLE_NAME"),
    archiveBucket: lockedBuckets[0],
    unarchivedBucket: failureBuckets[0],
    certificateKeyArn,
    vaultKeyArn: variableOf(functions, "VAULT_KEY_ARN"),
    hashesSecretArn: variableOf(functions, "HASHES_SECRET_ARN"),
  };
  writePrivately(path.join(dataDir, "local.json"), { awsUrl: aws.url, ...names, region, ...operator });
}

async function addDemo(
  { origin }: Cloud,
  { dataDir, sandbox, voice, signal }: Sandboxes & { dataDir: string; signal?: AbortSignal },
): Promise<StateFile & { demo: Demo }> {
  const file = await seedDemo({ project, dataDir, origin, sandbox, voice, signal });
  const demo = demoOf(file.state, origin, sandbox, `${origin}${outboxPath}`);
  writeDemo(dataDir, demo);
  return { ...file, demo };
}
