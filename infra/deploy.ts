import { readFileSync } from "node:fs";
import path from "node:path";
import * as z from "zod/mini";
import { cdk, main, project, readArguments } from "./cdk.ts";

const outputsFile = path.join("cdk.out", "outputs.json");

/** Stack → output → value, as `cdk deploy --outputs-file` writes it. */
const Outputs = z.record(z.string(), z.record(z.string(), z.string()));

/** What to do next, once everything stands. */
export function nextSteps(stage: string, outputs: z.infer<typeof Outputs>): string {
  const { Url } = outputs[`vitaline-${stage}-web`] ?? {};
  const { TableName } = outputs[`vitaline-${stage}-data`] ?? {};
  if (!Url || !TableName) throw new Error(`The deployment named no address or no table: see ${outputsFile}.`);
  return `
${Url}

Create the first administrator:
  npm run admin -- create --email you@example.org --table ${TableName} --region us-east-1
`;
}

/** `npm run deploy [-- --stage production]`: builds the site and the functions, deploys all stacks, uploads the site. */
if (import.meta.main) {
  await main(async () => {
    const { stage, rest } = readArguments();
    if (stage === "local") throw new Error("The stage local runs on this machine: npm start.");
    await cdk(stage, ["deploy", "--all", "--outputs-file", outputsFile, ...rest]);
    process.stdout.write(nextSteps(stage, Outputs.parse(JSON.parse(readFileSync(path.join(project, outputsFile), "utf8")))));
  });
}
