import { bundleOptions } from "@vitaline/infra/assets/bundle.ts";
import { build, formatMessages, type BuildFailure } from "esbuild";
import { StartError } from "../start-error.ts";

/** Bundles all functions into a folder of their own, or leaves it as it is and throws what is wrong with the sources. */
export async function bundleLive(project: string, folder: string): Promise<void> {
  try {
    await build({ ...bundleOptions(project), outdir: folder, logLevel: "silent" });
  } catch (cause) {
    const { errors } = cause as BuildFailure;
    if (!errors) throw cause;
    const messages = await formatMessages(errors, { kind: "error", color: process.stdout.isTTY });
    throw new StartError(`The sources cannot be built.\n\n${messages.join("\n").trim()}`, { cause });
  }
}
