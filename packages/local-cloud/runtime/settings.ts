import path from "node:path";
import { parseArgs } from "node:util";
import { type AddressInfo, createServer } from "node:net";
import { StartError } from "../lib/run.ts";

type Settings = {
  /** The edge's port; the AWS endpoint, the sandbox EHR and the voice sandbox take the next three. 0: any free ports. */
  port: number;
  dataDir: string;
  egress: string[];
  reset: boolean;
  empty: boolean;
  history: boolean;
};

const usage = `npm start -- [--reset] [--empty] [--no-history]

  --reset   throws away what the data folder holds of an earlier platform, and starts over
  --empty   adds no demo data
  --no-history
            adds today's demo data without the calls of the last 90 days

Environment: PORT (8080; the next three ports are taken as well), VITALINE_DATA (.local), VITALINE_EGRESS (comma-separated
loopback origins that the platform may call, such as http://127.0.0.1:9000 for an EHR of your own)`;

/** Throws StartError for an invalid setting. */
export function readSettings(args: string[], env: NodeJS.ProcessEnv): Settings {
  const { reset, empty, history } = readFlags(args);
  const port = Number(env["PORT"] || 8080);
  if (!Number.isInteger(port) || port < 0 || port > 65_532)
    throw new StartError(`PORT must be a number up to 65532, as the three ports above it are taken too; it is "${env["PORT"]}".`);
  const egress = (env["VITALINE_EGRESS"] ?? "")
    .split(",")
    .map((origin) => origin.trim())
    .filter(Boolean);
  const wrong = egress.find((origin) => !isLoopbackOrigin(origin));
  if (wrong !== undefined)
    throw new StartError(`VITALINE_EGRESS holds "${wrong}", which is not a loopback origin such as http://127.0.0.1:9000.`);
  return {
    port,
    dataDir: path.resolve(env["VITALINE_DATA"] || ".local"),
    egress,
    reset,
    empty,
    history,
  };
}

function readFlags(args: string[]): { reset: boolean; empty: boolean; history: boolean } {
  try {
    const { values } = parseArgs({
      args,
      options: {
        reset: { type: "boolean", default: false },
        empty: { type: "boolean", default: false },
        "no-history": { type: "boolean", default: false },
      },
    });
    return { ...values, history: !values["no-history"] };
  } catch (cause) {
    throw new StartError(`${(cause as Error).message}\n\n${usage}`, { cause });
  }
}

const isLoopbackOrigin = (text: string): boolean => {
  if (!URL.canParse(text)) return false;
  const { origin, hostname } = new URL(text);
  return origin === text && ["127.0.0.1", "localhost", "[::1]"].includes(hostname);
};

export type Ports = { edge: number; aws: number; ehr: number; voice: number };

export async function choosePorts(port: number): Promise<Ports> {
  if (port === 0) return { edge: 0, aws: 0, ehr: 0, voice: 0 };
  const ports = { edge: port, aws: port + 1, ehr: port + 2, voice: port + 3 };
  for (const one of Object.values(ports)) {
    if (!(await isFree(one)))
      throw new StartError(
        `Port ${one} is in use. Stop what uses it, or choose other ports: PORT=${port + 1000} npm start takes ${port + 1000} to ${port + 1003}.`,
      );
  }
  return ports;
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  const free = new Promise<boolean>((resolve) => {
    server.once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => resolve((server.address() as AddressInfo).port === port));
  });
  const answer = await free;
  if (answer) await new Promise((resolve) => server.close(resolve));
  return answer;
}
