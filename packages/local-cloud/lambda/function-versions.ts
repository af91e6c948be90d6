import type { FunctionSpec } from "../template/functions.ts";
import type { EnvironmentEvents } from "./environment.ts";
import { createPool, type Pool, type Usage } from "./pool.ts";

const latest = "$LATEST";

/** A function with its versions and aliases. */
export type Running = {
  name: string;
  usage: Usage;
  pools(): Pool[];
  /** The version that serves a qualifier: a version, an alias, or none for the latest code. Undefined for an unknown one. */
  choose(qualifier: string | undefined): { version: string; pool: Pool } | undefined;
  publish(codeDir?: string): string;
  route(alias: string, shares: Record<string, number>): void;
};

export function runFunction(spec: FunctionSpec, { awsUrl, events }: { awsUrl: string; events: EnvironmentEvents }): Running {
  const usage: Usage = { running: 0, peak: 0, throttled: 0 };
  const versions = new Map<string, Pool>();
  const aliases = new Map(Object.entries(spec.aliases));
  const add = (version: string, codeDir: string): void =>
    void versions.set(version, createPool(spec, { version, codeDir }, { awsUrl, events, usage }));
  for (const version of [latest, ...spec.versions]) add(version, spec.codeDir);

  return {
    name: spec.name,
    usage,
    pools: () => [...versions.values()],
    choose(qualifier = latest) {
      const shares = aliases.get(qualifier);
      const version = shares ? drawn(shares) : qualifier;
      const pool = versions.get(version);
      return pool && { version, pool };
    },
    publish(codeDir = spec.codeDir) {
      const version = String(versions.size);
      add(version, codeDir);
      return version;
    },
    route(alias, shares) {
      const unknown = Object.keys(shares).find((version) => !versions.has(version) || version === latest);
      const sum = Object.values(shares).reduce((total, share) => total + share, 0);
      if (!aliases.has(alias) || unknown !== undefined || Math.abs(sum - 1) > 1e-9)
        throw new Error(`The alias ${alias} of ${spec.name} cannot be divided so: ${JSON.stringify(shares)}.`);
      aliases.set(alias, shares);
    },
  };
}

/** One version at random, by its share. */
function drawn(shares: Record<string, number>): string {
  let left = Math.random();
  const entries = Object.entries(shares);
  for (const [version, share] of entries) if ((left -= share) < 0) return version;
  return entries.at(-1)?.[0] ?? "";
}

/** `arn:aws:lambda:REGION:ACCOUNT:function:NAME[:QUALIFIER]` */
export function splitArn(arn: string): [functionArn: string, qualifier: string | undefined] {
  const parts = arn.split(":");
  return [parts.slice(0, 7).join(":"), parts[7]];
}
