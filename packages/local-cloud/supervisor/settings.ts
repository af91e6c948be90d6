import path from "node:path";
import { parseArgs } from "node:util";
import { StartError } from "../start-error.ts";

export type Settings = {
  /** The edge's port; the AWS endpoint, the sandbox EHR and the voice platforms' sandbox take the next three. 0: any free ones. */
  port: number;
  dataDir: string;
  /** Loopback origins beside the sandboxes that functions may call. */
  egress: string[];
  reset: boolean;
  empty: boolean;
};

const usage = `npm start -- [--reset] [--empty]

  --reset   throws away what the data folder holds of an earlier platform, and starts over
  --empty   adds no demo data

Environment: PORT (8080; the next three ports are taken as well), VITALINE_DATA (.local), VITALINE_EGRESS (comma-separated
loopback origins that the platform may call, such as http://127.0.0.1:9000 for an EHR of your own)`;

/** The command's settings; throws one sentence for what cannot be. */
export function readSettings(args: string[], env: NodeJS.ProcessEnv): Settings {
  const { reset, empty } = readFlags(args);
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
  return { port, dataDir: path.resolve(env["VITALINE_DATA"] || ".local"), egress, reset, empty };
}

function readFlags(args: string[]): { reset: boolean; empty: boolean } {
  try {
    const { values } = parseArgs({
      args,
      options: { reset: { type: "boolean", default: false }, empty: { type: "boolean", default: false } },
    });
    return values;
  } catch (cause) {
    throw new StartError(`${(cause as Error).message}\n\n${usage}`, { cause });
  }
}

const isLoopbackOrigin = (text: string): boolean => {
  if (!URL.canParse(text)) return false;
  const { origin, hostname } = new URL(text);
  return origin === text && ["127.0.0.1", "localhost", "[::1]"].includes(hostname);
};
