import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { startPlatform } from "../../packages/local-cloud/platform.ts";
import type { ApiExample } from "../../web/src/features/docs/content/examples.ts";
import { calleeOf } from "./callee.ts";
import { readOptions } from "./options.ts";
import type { Exchange } from "./platforms/request.ts";
import { type PlatformName, platforms, runCall } from "./run-call.ts";

/** `npm run record:examples`: the API reference's examples, one tool call through each voice platform, on a platform of its own. */

const file = path.resolve(import.meta.dirname, "../../web/src/features/docs/content/examples.json");
const shownHeaders = /^(authorization|mcp-protocol-version|x-vapi-secret|x-conversation-id|x-retell-signature|x-signature)$/i;

const dataDir = await mkdtemp(path.join(tmpdir(), "vitaline-examples-"));
const platform = await startPlatform({ port: 0, dataDir, quiet: true });

const record = async (name: PlatformName): Promise<ApiExample> => {
  const options = readOptions(["--platform", name]);
  if (options === "help") throw new Error("Not reached.");
  const { apiKey, account, mcpUrl, called, origin, patients } = await calleeOf(options, dataDir);
  const { exchanges, callId } = await runCall({
    ...{ origin, apiKey, account, mcpUrl, called },
    platform: name,
    scenario: "book",
    patient: patients[0]!,
  });
  const exchange = exchanges.find(({ path: at, body }) => `${at} ${JSON.stringify(body)}`.includes("verifyPatientIdentity"));
  if (!exchange) throw new Error(`No request of ${name} uses a tool.`);
  const neutral = (text: string): string =>
    text
      .replaceAll(apiKey, "YOUR_API_KEY")
      .replaceAll(callId, "CALL_ID")
      .replaceAll(platform.demo!.tenants[0]!.id, "YOUR_TENANT_ID")
      .replaceAll(/(?<=\/mcp\/YOUR_TENANT_ID\/)\w+/g, "YOUR_OFFICE_ID")
      .replaceAll(/(\/hook\/)[\w-]+/g, "$1YOUR_PROVIDER_ID")
      .replaceAll(/("(?:callHandle|vitaline\/call-handle)": ?)"[^"]*"/g, '$1"CALL_HANDLE"');
  return {
    platform: name === "retell" ? "retellai" : name,
    request: neutral(requestOf(exchange)),
    answer: neutral(inLines(exchange.answer)),
  };
};

const inLines = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value, null, 2));

const requestOf = ({ path: address, headers, body }: Exchange): string => {
  const shown = Object.entries(headers)
    .filter(([name]) => shownHeaders.test(name))
    .map(
      ([name, value]) =>
        `${name}: ${/signature/.test(name) ? "SIGNATURE" : value.replace(/^Bearer (?!vtl_live_).*/, "Bearer TOKEN_OF_THE_CALL")}`,
    );
  return [`POST ${address}`, ...shown, "", inLines(body)].join("\n");
};

try {
  const examples: ApiExample[] = [];
  for (const name of Object.keys(platforms) as PlatformName[]) examples.push(await record(name));
  await writeFile(file, `${JSON.stringify(examples, null, 2)}\n`);
  process.stdout.write(`${examples.length} examples in ${file}\n`);
} finally {
  await platform.close();
  await rm(dataDir, { recursive: true, force: true });
}
