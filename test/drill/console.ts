import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import * as dynamodb from "@aws-sdk/client-dynamodb";
import * as lambda from "@aws-sdk/client-lambda";
import type { Platform } from "../../packages/local-cloud/platform.ts";

/** An operator's terminal: runs the commands that the manual shows, against a platform on this machine. */
export type Console = {
  /** A command of the AWS CLI, through the SDK. */
  aws(command: string): Promise<Record<string, unknown>>;
  /** Returns what the script printed, also when it failed. */
  npm(command: string): Promise<string>;
  close(): void;
};

type Client = { send(command: object): Promise<Record<string, unknown>>; destroy(): void };
type Command = new (input: object) => object;

const project = path.resolve(import.meta.dirname, "../..");

export function openConsole({ awsUrl, cloud: { region, operator } }: Pick<Platform, "awsUrl" | "cloud">): Console {
  const place = { endpoint: awsUrl, region, credentials: operator };
  const services: Record<string, { client: Client; commands: object }> = {
    dynamodb: { client: new dynamodb.DynamoDBClient(place) as unknown as Client, commands: dynamodb },
    lambda: { client: new lambda.LambdaClient(place) as unknown as Client, commands: lambda },
  };
  const credentials = {
    AWS_ENDPOINT_URL: awsUrl,
    AWS_REGION: region,
    AWS_ACCESS_KEY_ID: operator.accessKeyId,
    AWS_SECRET_ACCESS_KEY: operator.secretAccessKey,
  };
  return {
    async aws(command) {
      const [, service = "", operation = "", ...options] = command.split(" ");
      const { client, commands } = services[service] ?? {};
      const Made = (commands as Record<string, Command | undefined> | undefined)?.[`${inPascalCase(operation)}Command`];
      if (!client || !Made) throw new Error(`The drill cannot run this: ${command}`);
      return client.send(new Made(inputOf(options)));
    },
    async npm(command) {
      const [, , script = "", , ...options] = command.split(" ");
      const { scripts } = JSON.parse(readFileSync(path.join(project, "package.json"), "utf8")) as { scripts: Record<string, string> };
      const file = /^node (\S+\.ts)$/.exec(scripts[script] ?? "")?.[1];
      if (file === undefined) throw new Error(`The drill cannot run this: ${command}`);
      const asked = { cwd: project, env: { ...process.env, ...credentials } };
      const { stdout } = await promisify(execFile)(process.execPath, [file, ...options], asked).catch(
        ({ stdout = "", stderr = "" }: { stdout?: string; stderr?: string }) => ({ stdout: stdout + stderr }),
      );
      return stdout.trimEnd();
    },
    close() {
      for (const { client } of Object.values(services)) client.destroy();
    },
  };
}

const inPascalCase = (text: string): string => text.replaceAll(/(?:^|-)([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** Options of the AWS CLI with its shorthand syntax. An option without a value is true. */
function inputOf(options: readonly string[]): Record<string, unknown> {
  const input: Record<string, unknown> = {};
  for (const [at, option] of options.entries()) {
    if (!option.startsWith("--")) continue;
    const value = options[at + 1];
    input[inPascalCase(option.slice(2))] = value === undefined || value.startsWith("--") ? true : valueOf(value);
  }
  return input;
}

function valueOf(text: string): unknown {
  if (/^\w+=/.test(text))
    return Object.fromEntries(text.split(",").map((field) => [field.split("=")[0], valueOf(field.split("=")[1] ?? "")]));
  if (/^\d+$/.test(text)) return Number(text);
  if (/^(true|false)$/.test(text)) return text === "true";
  return /^\d{4}-\d\d-\d\dT/.test(text) ? new Date(text) : text;
}
