import * as z from "zod/mini";
import type { Demo } from "../demo/file.ts";
import type { Platform } from "../platform.ts";
import { outboxPath } from "../runtime/outbox.ts";

type Shown = Pick<Platform, "history" | "origin" | "awsUrl" | "sandbox" | "voice" | "demo" | "dataDir" | "logFile">;

export function finalBlock(platform: Shown, namedData: boolean): string {
  const { origin, awsUrl, sandbox, voice, demo, dataDir, logFile, history } = platform;
  return [
    "Vitaline is running.",
    "",
    `  Web app       ${origin}`,
    `  AWS endpoint  ${awsUrl}`,
    `  Sandbox EHR   ${sandbox.origin} (its page lists R4, STU3 and DSTU2 servers, and some that act like vendors')`,
    `  Voice sandbox ${voice.origin} (answers like Vapi, Retell AI, ElevenLabs and OpenAI; its page lists base URLs)`,
    `  Outbox        ${origin}${outboxPath} (every email and text message that was sent)`,
    `  Data          ${dataDir}`,
    `  Log           ${logFile}`,
    "",
    ...(demo ? demoLines(origin, demo) : emptyLines(platform)),
    ...(history?.isWhole === false ? ["The clinics' calls from earlier days are still being added.", ""] : []),
    ...(namedData ? ["In a second terminal, first name the same data folder:", "", `  export VITALINE_DATA=${quoted(dataDir)}`, ""] : []),
  ].join("\n");
}

function emptyLines({ sandbox: { r4, client } }: Shown): string[] {
  return [
    "No demo data was added; what the data folder held before is there. To create a system administrator:",
    "",
    "  npm run admin -- create --email you@example.org",
    "",
    "To register the sandbox EHR as a FHIR provider (R4):",
    "",
    `  Base URL      ${r4.baseUrl}`,
    `  Token URL     ${r4.tokenUrl}`,
    `  Client id     ${client.id}`,
    `  Scopes        ${client.scopes}`,
    "",
    "To let a patient phone a tenant of yours: npm run call -- --key <the tenant's API key> --scenario book",
    "",
  ];
}

function demoLines(origin: string, { systemAdmin, tenants, patients }: Demo): string[] {
  const [tenant] = tenants;
  const [patient] = patients;
  const account = (what: string, email: string, password: string, page: string): string =>
    `  ${what.padEnd(26)}${email.padEnd(26)}${password.padEnd(22)}${origin}${page}`;
  const args = patient && {
    firstName: patient.given,
    lastName: patient.family,
    dateOfBirth: patient.birthDate,
    phoneNumber: patient.phone,
  };
  const body = {
    message: {
      type: "tool-calls",
      call: { id: "my-first-call" },
      toolCallList: [{ id: "call_1", type: "function", function: { name: "verifyPatientIdentity", arguments: args } }],
    },
  };
  return [
    account("System administrator", systemAdmin.email, systemAdmin.password, "/admin/login"),
    ...tenants.map(({ name, admin }) => account(name, admin.email, admin.password, "/login")),
    "",
    `Ask it what a voice platform would ask, here whether a caller is a patient of ${tenant?.name}:`,
    "",
    `  curl -s ${origin}/api/vapi/tool-call -H 'Authorization: Bearer ${tenant?.apiKey}' -H 'Content-Type: application/json' -d ${quoted(JSON.stringify(body))}`,
    "",
    "Or let a patient phone, in a second terminal: npm run call -- --platform vapi --scenario book",
    "(or through retell, elevenlabs, openai or mcp)",
    "",
  ];
}

const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

const LogLine = z.object({
  level: z.string(),
  event: z.string(),
  code: z.optional(z.string()),
  errorName: z.optional(z.string()),
  route: z.optional(z.string()),
  tool: z.optional(z.string()),
  operation: z.optional(z.string()),
  httpStatus: z.optional(z.number()),
  requestId: z.optional(z.string()),
});

const longest = 200;
const clock = (at: Date): string => at.toTimeString().slice(0, 8);

/**
 * A line of functions.log as the terminal shows it; undefined for a line that does not report an error. `line` is a function's name, a
 * space and its output.
 */
export function terminalLine(line: string, now = new Date()): string | undefined {
  const [, name = "", text = ""] = /^(\S+) (.*)$/s.exec(line) ?? [];
  const shortName = name.replace(/^vitaline-local-/, "");
  if (!text.startsWith("{")) return /^\S/.test(text) ? `${clock(now)}  ${shortName}  ${text.slice(0, longest)}` : undefined;
  const entry = entryIn(text);
  if (!entry || !["warn", "error"].includes(entry.level)) return undefined;
  const { level, event, code, errorName, route, tool, operation, httpStatus, requestId } = entry;
  const about = [level === "error" ? "ERROR" : undefined, event, code, errorName, tool, operation, httpStatus, route, requestId];
  return [clock(now), shortName, ...about.filter((each) => each !== undefined)].join("  ");
}

function entryIn(text: string): z.infer<typeof LogLine> | undefined {
  try {
    return z.safeParse(LogLine, JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
