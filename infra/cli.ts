import { readFileSync } from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import * as z from "zod/mini";
import { runScript } from "./assets/run-script.ts";
import { stageOf } from "./config/settings.ts";
import { fhirSecretPrefix, tenantSecretPrefix } from "./resources/names.ts";

const usage = `node infra/cli.ts synth|deploy|destroy [--stage demo|production|…] [arguments of the CDK's command]`;

/** `npm run` starts it in the project's folder. */
const project = process.cwd();
const cdkScript = path.join(import.meta.dirname, "..", "node_modules", "aws-cdk", "bin", "cdk");
const outputsFile = path.join("cdk.out", "outputs.json");

/** Stack → output → value, as `cdk deploy --outputs-file` writes it. */
const Outputs = z.record(z.string(), z.record(z.string(), z.string()));

type Command = (stage: string, rest: string[]) => Promise<void>;

const commands: Readonly<Record<string, Command>> = {
  /** Writes the templates into cdk.out, without credentials or network. */
  synth: async (stage, rest) => {
    await cdk(stage, ["synth", "--quiet", "--no-lookups", ...rest]);
    process.stdout.write(`The templates of the stage ${stage} are in cdk.out.\n`);
  },
  /** Builds the site and the functions, deploys all stacks, uploads the site. */
  deploy: async (stage, rest) => {
    if (stage === "local") throw new Error("The local stage runs on this machine: npm start.");
    await cdk(stage, ["deploy", "--all", "--outputs-file", outputsFile, ...rest]);
    process.stdout.write(nextSteps(stage, Outputs.parse(JSON.parse(readFileSync(path.join(project, outputsFile), "utf8")))));
  },
  /** Deletes a stage's stacks. */
  destroy: async (stage, rest) => {
    if (stage === "local")
      throw new Error("The local stage runs on this machine: stop it with Ctrl-C. To start over with no data: npm start -- --reset.");
    await cdk(stage, ["destroy", "--all", ...rest]);
    process.stdout.write(`
The platform creates some resources at run time. They are not part of the stacks and remain in the account:
  KMS keys tagged vitaline:use=platform-signing and vitaline:stage=${stage}, and secrets whose names begin with
  ${fhirSecretPrefix(stage)} or ${tenantSecretPrefix(stage)}
`);
  },
};

/** The text to print after a deployment. */
export function nextSteps(stage: string, outputs: z.infer<typeof Outputs>): string {
  const { Url } = outputs[`vitaline-${stage}-web`] ?? {};
  const { TableName } = outputs[`vitaline-${stage}-data`] ?? {};
  if (!Url || !TableName) throw new Error(`The deployment named no address or no table: see ${outputsFile}.`);
  return `
${Url}

Create the first administrator:
  npm run admin -- create --email you@example.org --table ${TableName} --region us-east-1

See whether alarms and mail reach someone (after the first deployment, confirm the mail from AWS first):
  npm run preflight -- --stage ${stage}
`;
}

/** `--stage production`; all other arguments go to the CDK's command. */
function readArguments(args: string[]): { stage: string; rest: string[] } {
  const { values, tokens } = parseArgs({ args, options: { stage: { type: "string" } }, strict: false, tokens: true });
  const own = new Set(
    tokens.flatMap((token) =>
      token.kind === "option" && token.name === "stage" ? [token.index, ...(token.inlineValue ? [] : [token.index + 1])] : [],
    ),
  );
  return { stage: stageOf({ stage: values.stage }), rest: args.filter((_, index) => !own.has(index)) };
}

const cdk = (stage: string, args: string[]): Promise<void> =>
  runScript(cdkScript, [...args, "--context", `stage=${stage}`], {
    cwd: project,
    env: { CDK_DISABLE_CLI_TELEMETRY: "true" },
  });

if (import.meta.main) {
  try {
    const [name = "", ...args] = process.argv.slice(2);
    const command = commands[name];
    if (!command) throw new Error(usage);
    const { stage, rest } = readArguments(args);
    await command(stage, rest);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  }
}
