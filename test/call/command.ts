import { calleeOf, type Callee } from "./callee.ts";
import { CannotCall } from "./demo-file.ts";
import { help, readOptions, type Options } from "./options.ts";
import { linesOfChanges, transcript } from "./print.ts";
import { runCall } from "./run-call.ts";
import type { Moment } from "./talk.ts";

type Say = (lines: string[]) => void;

/** What `npm run call` does with its arguments. Throws CannotCall with one sentence for the terminal. */
export async function command(args: string[], dataDir: string, say: Say): Promise<void> {
  const options = readOptions(args);
  if (options === "help") return say([help]);
  const callee = await calleeOf(options, dataDir);
  await callAll(options, callee, say).catch((error: unknown) => {
    if (!(error instanceof CannotCall) || error.status !== 401) throw error;
    const why = error.path?.includes("/hook/") ? callee.ifUnsigned : callee.ifRefused;
    throw new CannotCall(`${error.message}\n${why}`, { cause: error });
  });
}

async function callAll(options: Options, callee: Callee, say: Say): Promise<void> {
  const { origin, name, adminEmail, fhirBaseUrl } = callee;
  const { apiKey, account, mcpUrl, called } = callee;
  const { platform, scenario, count, json } = options;
  const patients = scenario === "guardian" ? callee.children : callee.patients;
  if (patients.length === 0)
    throw new CannotCall("demo.json has no child whose parent could call: stop the platform and start it again with `npm start`.");
  for (let call = 0; call < count; call++) {
    const patient = patients[call % patients.length]!;
    const reach = { origin, apiKey, account, mcpUrl, called };
    const title = [`Call ${call + 1} of ${count}: ${scenario}, through ${platform}, to ${name}`, ""];
    const linesOf = transcript({ json });
    const tell = (moment: Moment): void => say([...title.splice(0), ...linesOf(moment)]);
    const { callId, changes, ending } = await runCall({ ...reach, platform, scenario, patient, tell });
    say([
      "",
      ending.summary,
      ...linesOfChanges(changes, fhirBaseUrl),
      `Call ${callId} is in the dashboard of ${name}: ${origin}/tenant-dashboard${adminEmail ? ` (sign in as ${adminEmail})` : ""}.`,
      "",
    ]);
  }
}
