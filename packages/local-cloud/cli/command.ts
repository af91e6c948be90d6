import type { Platform, PlatformOptions } from "../platform.ts";
import { usualHistory } from "../demo/history.ts";
import { printed, StartError } from "../lib/run.ts";
import { finalBlock, terminalLine } from "./terminal.ts";
import { readSettings } from "../runtime/settings.ts";

/** Runs until a signal ends it. A StartError is printed as one sentence with exit code 1. */
export async function runCommand(title: string, start: (options: PlatformOptions) => Promise<Platform>): Promise<void> {
  const stopping = new AbortController();
  const asked = Promise.withResolvers<void>();
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.on(signal, () => {
      if (stopping.signal.aborted) process.exit(1);
      stopping.abort();
      asked.resolve();
    });
  }
  const write = (text: string): void => void process.stdout.write(text);
  try {
    const settings = readSettings(process.argv.slice(2), process.env);
    // LevelDB creates its files with the process's default mode
    process.umask(0o077);
    process.once("uncaughtException", (error) => {
      fail(dataFault(error, settings.dataDir) ?? error);
      process.exit();
    });
    write(`${title}\n\n`);
    let ready = false;
    const printLog = (line: string): void => {
      const shown = ready && !stopping.signal.aborted && terminalLine(line);
      if (shown) write(`${shown}\n`);
    };
    const tellHistory = (line: string): void => void (ready && !stopping.signal.aborted && write(`${line}\n`));
    const platform = await start({
      ...settings,
      history: settings.history ? usualHistory : undefined,
      hasOffers: true,
      printLog,
      tellHistory,
      progress: printed(write),
      signal: stopping.signal,
    });
    write(`\n${finalBlock(platform, Boolean(process.env["VITALINE_DATA"]))}\nready ${platform.origin}\n`);
    ready = true;
    void platform.cloud.catchUp();
    await asked.promise;
    write("\nStopping …\n");
    await platform.close();
    write(`Stopped. The data is kept in ${platform.dataDir}.\n`);
  } catch (error) {
    if (!stopping.signal.aborted) fail(error);
  }
  process.exit();
}

function dataFault(error: unknown, dataDir: string): StartError | undefined {
  const errors = [error, error instanceof Error ? error.cause : undefined].filter(
    (one): one is NodeJS.ErrnoException => one instanceof Error,
  );
  const codes = errors.map(({ code = "" }) => code);
  const said = errors.map(({ message }) => message).join(": ");
  if (codes.includes("ENOSPC") || said.includes("No space left"))
    return new StartError(`The disk of the data folder ${dataDir} is full. Free some space and start again; acknowledged data is kept.`);
  if (codes.some((code) => code.startsWith("LEVEL_")) || ["EIO", "EROFS"].some((code) => codes.includes(code)))
    return new StartError(
      `The data folder ${dataDir} is no longer readable (${said}): start over with npm start -- --reset, or name another in VITALINE_DATA.`,
    );
  return undefined;
}

function fail(error: unknown): void {
  process.exitCode = 1;
  const text = error instanceof StartError ? error.message : error instanceof Error ? (error.stack ?? error.message) : String(error);
  process.stderr.write(`\n${text}\n`);
}
