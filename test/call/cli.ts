import { CannotCall, readDemoFile } from "./demo-file.ts";
import { readOptions } from "./options.ts";
import { linesOf, linesOfChanges } from "./print.ts";
import { runCall } from "./run-call.ts";

/** `npm run call`: a scripted patient phones the platform that runs on this machine. */
const say = (lines: string[]): void => void process.stdout.write(`${lines.join("\n")}\n`);

try {
  const options = readOptions(process.argv.slice(2));
  const demo = await readDemoFile(process.env["VITALINE_DATA"] ?? ".local");
  const tenant = demo.tenants[options.tenant - 1];
  if (!tenant) throw new CannotCall(`--tenant ${options.tenant} does not exist; there are ${demo.tenants.length}.`);
  for (let call = 0; call < options.count; call++) {
    const patient = demo.patients[call % demo.patients.length]!;
    say([`Call ${call + 1} of ${options.count}: ${options.scenario}, through ${options.platform}, to ${tenant.name}`, ""]);
    const { callId, changes } = await runCall({
      origin: demo.origin,
      apiKey: tenant.apiKey,
      ...options,
      patient,
      tell: (moment) => say(linesOf(moment)),
    });
    say([
      "",
      ...linesOfChanges(changes, demo.ehr.r4.baseUrl),
      `Call ${callId} is in the dashboard of ${tenant.name}: ${demo.origin}/tenant-dashboard (sign in as ${tenant.admin.email}).`,
      "",
    ]);
  }
} catch (error) {
  if (!(error instanceof CannotCall)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
