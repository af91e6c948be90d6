import { command } from "./command.ts";
import { CannotCall } from "./demo-file.ts";

/** `npm run call`: a scripted patient phones the local platform. */
try {
  await command(process.argv.slice(2), process.env["VITALINE_DATA"] || ".local", (lines) => process.stdout.write(`${lines.join("\n")}\n`));
} catch (error) {
  if (!(error instanceof CannotCall)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
