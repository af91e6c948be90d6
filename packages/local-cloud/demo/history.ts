import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import path from "node:path";
import { createInterface } from "node:readline";
import * as z from "zod/mini";
import type { Cloud } from "../cloud.ts";
import { requestOk, signIn } from "./client.ts";
import { plannedTenants } from "./plan.ts";
import type { DemoState, SeededTenant, StateFile } from "./state.ts";

/** The past that a demo starts with: calls of each clinic in the days before the first start. */
export type HistorySize = { days: number; calls: number };
export const usualHistory: HistorySize = { days: 90, calls: 610 };

export type History = {
  /** Already at this start. */
  isWhole: boolean;
  /** Resolves when it is whole or was stopped, and rejects when it cannot be made. */
  done: Promise<void>;
  stop(): Promise<void>;
};

type Options = StateFile & {
  project: string;
  cloud: Pick<Cloud, "origin" | "aws" | "functions" | "operator" | "region" | "drained">;
  ehrOrigin: string;
  size: HistorySize;
  tell?: ((line: string) => void) | undefined;
};

const Told = z.union([z.object({ finished: z.number() }), z.object({ callsMade: z.literal(true) }), z.object({ whole: z.literal(true) })]);

const pastOf = (tenant: SeededTenant) => (tenant.past ??= { calls: 0, isWhole: false });

const toldEvery = 0.25;
const clinicZone = "America/New_York";
const dayIn = (at: Date): string => new Intl.DateTimeFormat("en-CA", { timeZone: clinicZone, dateStyle: "short" }).format(at);

/**
 * Has the past made while the platform runs, by one process for each clinic (test/history). A whole one stays as it is, and one
 * that was cut off is completed.
 */
export function makeHistory(options: Options): History {
  const { state, save, size, tell = () => {} } = options;
  state.history ??= { ...size, startDay: dayIn(new Date()) };
  save();
  const children = new Set<ChildProcessWithoutNullStreams>();
  let isStopped = false;
  const missing = state.tenants.filter((tenant) => !pastOf(tenant).isWhole);
  const report = progressOf(state, missing, tell);
  const make = async (): Promise<void> => {
    if (missing.length === 0) return;
    const adminIds = await adminsOf(options.cloud.origin, state);
    // What a killed start wrote last is known only when the stream has been read
    await options.cloud.drained();
    await Promise.all(
      missing.map(async (tenant) => {
        const job = jobFor(options, state, tenant, adminIds.get(tenant.admin.email));
        if (!job || isStopped) return;
        const child = spawn(
          process.execPath,
          ["--no-warnings", "--max-semi-space-size=8", "--max-old-space-size=320", path.join(options.project, "test/history/main.ts")],
          {
            cwd: options.project,
          },
        );
        children.add(child);
        await follow(child, job, tenant).finally(() => children.delete(child));
      }),
    );
    if (isStopped) return;
    await options.cloud.drained();
    if (missing.every((tenant) => pastOf(tenant).isWhole)) report.end();
  };

  const follow = async (child: ChildProcessWithoutNullStreams, job: object, tenant: SeededTenant): Promise<void> => {
    let complaint = "";
    child.stderr.on("data", (chunk: Buffer) => (complaint += chunk.toString()));
    child.stdin.on("error", () => undefined);
    child.stdin.write(`${JSON.stringify(job)}\n`);
    const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
    for await (const line of createInterface({ input: child.stdout })) {
      const told = z.parse(Told, JSON.parse(line));
      if ("finished" in told) pastOf(tenant).calls = told.finished;
      else if ("whole" in told) pastOf(tenant).isWhole = true;
      else {
        await options.cloud.drained();
        child.stdin.write("\n");
      }
      save();
      report.progress();
    }
    if ((await ended) !== 0 && !isStopped)
      throw new Error(`The history of ${tenant.name} could not be made; the next start continues it.\n${complaint.trim()}`);
  };

  return {
    isWhole: missing.length === 0,
    done: make(),
    async stop() {
      isStopped = true;
      await Promise.all([...children].map((child) => new Promise((resolve) => (child.once("close", resolve), child.kill("SIGKILL")))));
    },
  };
}

function progressOf({ history }: DemoState, missing: readonly SeededTenant[], tell: (line: string) => void) {
  const all = missing.length * (history?.calls ?? 0);
  const made = (): number => missing.reduce((sum, tenant) => sum + pastOf(tenant).calls, 0);
  const began = performance.now();
  const seconds = (): string => `${Math.round((performance.now() - began) / 1000)} s`;
  let next = made() / all + toldEvery;
  const count = (calls: number): string => calls.toLocaleString("en-US");
  return {
    progress(): void {
      if (made() / all < next || made() === all) return;
      next += toldEvery;
      tell(`Calls of the last ${history?.days} days: ${count(made())} of ${count(all)} (${seconds()})`);
    },
    end: (): void => tell(`Calls of the last ${history?.days} days: all ${count(made())}, and the work that they left (${seconds()})`),
  };
}

async function adminsOf(origin: string, { systemAdmin }: DemoState): Promise<Map<string, string>> {
  const token = await signIn(origin, systemAdmin);
  if (!token) return new Map();
  const users = await requestOk<{ id: string; email: string }[]>(origin, "GET /api/admin/users", { token });
  return new Map(users.map(({ email, id }) => [email, id]));
}

/** Undefined for a clinic whose demo data an administrator has changed so far that nothing can phone it. */
function jobFor({ cloud, ehrOrigin }: Options, state: DemoState, tenant: SeededTenant, adminId: string | undefined): object | undefined {
  const { id, apiKey, voiceProviders, offices, name } = tenant;
  const plan = plannedTenants.find((planned) => planned.name === name);
  const voice = cloud.functions.find((spec) => spec.name.endsWith("-voice"));
  const accountOf = (type: string) => {
    const { webhookPath, webhookSecret, agentId, calledNumber } = voiceProviders[type] ?? {};
    return webhookPath && { webhookUrl: cloud.origin + webhookPath, webhookSecret, agentId, calledNumber };
  };
  const accounts = { vapi: accountOf("vapi"), retell: accountOf("retellai"), elevenlabs: accountOf("elevenlabs") };
  if (!plan || !voice || !state.history || !id || !apiKey || !adminId || Object.values(accounts).includes(undefined)) return undefined;
  const { TENANT_ROLE_ARN: _, ...environment } = voice.env;
  return {
    environment: {
      ...environment,
      AWS_ENDPOINT_URL: cloud.aws.url,
      AWS_REGION: cloud.region,
      AWS_ACCESS_KEY_ID: cloud.operator.accessKeyId,
      AWS_SECRET_ACCESS_KEY: cloud.operator.secretAccessKey,
    },
    origin: cloud.origin,
    ehrOrigin,
    clinic: {
      number: plannedTenants.indexOf(plan),
      kind: plan.kind,
      id,
      apiKey,
      adminId,
      officeNumbers: plan.offices.slice(0, offices.length).map(({ phone }) => phone.replaceAll(" ", "")),
      accounts,
    },
    ...state.history,
    finished: pastOf(tenant).calls,
  };
}
