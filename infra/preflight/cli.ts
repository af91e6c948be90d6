import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { settingsFor, type Settings } from "../config/settings.ts";
import { missingIn } from "./preflight.ts";

/** `npm run preflight -- --stage production`: what an operator has yet to do in the account. Changes nothing. */

function settingsOf(stage: string): Settings {
  if (stage === "local") throw new Error("The local stage runs on this machine and needs no account.");
  const { context } = JSON.parse(readFileSync("cdk.json", "utf8")) as { context: Record<string, unknown> };
  return settingsFor(stage, context["vitaline:stages"], process.env);
}

try {
  const { values } = parseArgs({ options: { stage: { type: "string", default: "demo" } } });
  const settings = settingsOf(values.stage);
  const missing = await missingIn(settings);
  const lines = missing.map((sentence) => `- ${sentence}\n`).join("");
  process.stdout.write(
    missing.length > 0 ? `The stage ${values.stage} lacks:\n${lines}` : `The stage ${values.stage} lacks nothing that can be checked.\n`,
  );
  process.exitCode = missing.length > 0 ? 1 : 0;
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 2;
}
