import path from "node:path";
import { parseArgs } from "node:util";
import { runScript } from "./run.ts";
import { stageOf } from "./stage.ts";

export const project = path.join(import.meta.dirname, "..");

/** `--stage production`; every other argument is the CDK's own. */
export function readArguments(): { stage: string; rest: string[] } {
  const { values, tokens } = parseArgs({
    args: process.argv.slice(2),
    options: { stage: { type: "string" } },
    strict: false,
    tokens: true,
  });
  const ours = new Set(
    tokens.flatMap((token) =>
      token.kind === "option" && token.name === "stage" ? [token.index, ...(token.inlineValue ? [] : [token.index + 1])] : [],
    ),
  );
  return { stage: stageOf({ stage: values.stage }), rest: process.argv.slice(2).filter((_, index) => !ours.has(index)) };
}

/** Runs the CDK's command for a stage; the app builds what it takes along. */
export const cdk = (stage: string, args: string[]): Promise<void> =>
  runScript(path.join(project, "node_modules", "aws-cdk", "bin", "cdk"), [...args, "--context", `stage=${stage}`], {
    cwd: project,
    env: { CDK_DISABLE_CLI_TELEMETRY: "true" },
  });

/** Runs a command to its end; a failure is one sentence and a non-zero exit. */
export async function main(run: () => Promise<void>): Promise<void> {
  try {
    await run();
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  }
}
