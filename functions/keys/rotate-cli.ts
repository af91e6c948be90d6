import { parseArgs } from "node:util";
import { createSigningKey, rotateSecret } from "@vitaline/aws";
import { setStackParameter, stackOutputs } from "@vitaline/aws/stacks.ts";
import { type AppSecret, pause } from "@vitaline/core";
import { useLocalPlatform } from "../lib/cli/local-platform.ts";

const usage = `npm run rotate -- edge|tokens|cursors|hashes|sessions|all [--leaked] [--stage STAGE] [--region REGION]

Replaces a secret while the platform runs, on the platform on this machine (VITALINE_DATA, .local) or, with --stage, in the AWS account
of the current credentials. No request fails meanwhile: functions accept the new value before it is used, and the former one afterwards.
With --leaked the former values are refused at the end, and what was made with them is no longer valid. If it was interrupted, run it
again.`;

/** Exits with a message that says what to do. */
const fail = (message: string): never => {
  process.stderr.write(`${message}\n`);
  process.exit(1);
};
const print = (text: string): void => void process.stdout.write(`${text}\n`);

const names: readonly AppSecret[] = ["edge", "tokens", "cursors", "hashes", "sessions"];
/** A request that began before a secret was read again may take this long to end. */
const longestRequestSeconds = { local: 1, deployed: 60 };

const readOptions = () => {
  const options = { leaked: { type: "boolean", default: false }, stage: { type: "string" }, region: { type: "string" } } as const;
  try {
    return parseArgs({ allowPositionals: true, options });
  } catch {
    return fail(usage);
  }
};

const { values, positionals } = readOptions();
const asked = positionals[0] === "all" ? names : names.filter((name) => name === positionals[0]);
if (positionals.length !== 1 || asked.length === 0) fail(usage);

const { stage, leaked: isLeaked } = values;
if (stage === undefined) {
  const { missing } = useLocalPlatform();
  if (missing) fail(`No platform found at ${missing}. Run npm start first, or pass --stage with the name of a deployed stage.`);
}
if (values.region !== undefined) process.env["AWS_REGION"] = values.region;

const stack = (kind: "data" | "web"): string => `vitaline-${stage ?? "local"}-${kind}`;

/** Source: "Using ABAC with AWS KMS" in its Developer Guide: tags take up to five minutes to affect authorization. */
const tagSeconds = 300;

async function newSessionKey(): Promise<string> {
  const arn = await createSigningKey("session-signing", stage ?? "local");
  if (stage === undefined) return arn;
  print(`sessions: waiting ${tagSeconds} seconds, until the tags of the new key permit its use`);
  await pause(tagSeconds * 1000);
  return arn;
}

async function rotate(name: AppSecret, outputs: Record<string, string>): Promise<void> {
  const arn = outputs[`${name.replace(/^./, (first) => first.toUpperCase())}SecretArn`];
  if (!arn) return fail(`The stack ${stack("data")} has no secret "${name}": deploy it first.`);
  const seconds = Number(outputs["AppSecretSeconds"]) + longestRequestSeconds[stage === undefined ? "local" : "deployed"];
  await rotateSecret({
    ...{ name, arn, isLeaked },
    now: () => new Date(),
    ...(name === "sessions" && { newValue: newSessionKey }),
    async waitForFunctions() {
      print(`${name}: waiting ${seconds} seconds, until every function has read it again`);
      await pause(seconds * 1000);
    },
    ...(name === "edge" && {
      async send(versionId) {
        print(`${name}: telling CloudFront the new value`);
        await setStackParameter(stack("web"), "EdgeVersion", versionId);
      },
    }),
  });
  print(`${name}: rotated`);
}

try {
  const outputs = await stackOutputs(stack("data"));
  for (const name of asked) await rotate(name, outputs);
} catch (error) {
  const reason = error instanceof Error ? `${error.name}: ${error.message}` : "";
  fail(`The rotation did not end: ${reason}\nNothing is refused meanwhile. Check stage, region and credentials, and run it again.`);
}
