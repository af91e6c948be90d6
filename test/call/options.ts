import { parseArgs } from "node:util";
import { CannotCall } from "./demo-file.ts";
import { platforms, type PlatformName } from "./run-call.ts";
import { scenarios, type ScenarioName } from "./scenarios.ts";

export type Options = {
  platform: PlatformName;
  scenario: ScenarioName;
  count: number;
  json: boolean;
  callee: { tenant: number } | ({ key: string } & Reach);
  origin?: string;
};

export type Reach = {
  address?: string | undefined;
  secret?: string | undefined;
  agent?: string | undefined;
  number?: string | undefined;
  baseUrl?: string | undefined;
};

const example = "npm run call -- --platform vapi --scenario book --tenant 1 --count 1";

const about: Record<ScenarioName, string> = {
  book: "a patient books the first opening",
  reschedule: "a patient moves an appointment to another time",
  cancel: "a patient cancels an appointment",
  "second-offer": "a patient chooses the second of the times that were offered",
  "wrong-choice": "a patient chooses a time that was not offered, and is asked again",
  spanish: "a patient books in Spanish, naming the day and the time in words",
  "female-doctor": "a patient books with a woman doctor",
  emergency: "a caller has chest pain, and is told to call 911",
  "emergency-spanish": "a caller whose father cannot breathe is told so in Spanish",
  "after-hours": "a caller asks for a person outside the office's hours, and leaves a number",
  refill: "a patient asks for more of a medication, and the care team is told",
  clinical: "a patient asks what the record says",
  insurance: "a patient asks which insurance is on file",
  lead: "a caller who is not a patient yet leaves a name and a number",
  "wrong-person": "another person asks for a patient's data and learns nothing",
  guardian: "a parent makes an appointment for a child",
  transfer: "a caller asks for a person and is connected",
  "office-facts": "a caller asks whether the office is open, where to park, and about insurance",
};

export const help = `npm run call -- [options]

A scripted patient phones the platform that runs on this machine.

  --platform <name>   through which voice platform: ${Object.keys(platforms).join(", ")} (vapi)
  --scenario <name>   what the caller wants (book):
${Object.entries(about)
  .map(([name, what]) => `                        ${name.padEnd(19)}${what}`)
  .join("\n")}
  --tenant <number>   which tenant of the demo data is called (1)
  --key <API key>     another tenant is called, by its API key (vtl_live_…)
  --address <URL>     with --key: where its platform sends what it signs; for mcp, the tenant's address for its clients
  --secret <text>     with --key: what the platform signs with, the voice provider's webhook secret
  --agent <id>        with --key: which agent of the platform the number belongs to
  --number <+1…>      with --key: which number the patient dials
  --base-url <URL>    with --key: the sandbox's address that the voice provider has, for openai
  --origin <URL>      where the platform is (what demo.json says, else http://localhost:8080)
  --count <number>    how many calls, by one patient after the other (1)
  --json              what each tool was asked and what the model saw, as JSON
  --help              this text

Environment: VITALINE_DATA, the data folder that \`npm start\` was given (.local)

An example: ${example}
`;

/** "help" when the arguments ask for it. Throws CannotCall with the valid choices. */
export function readOptions(args: string[]): Options | "help" {
  const {
    help: asked,
    json,
    platform,
    scenario,
    count,
    tenant,
    key,
    origin,
    address,
    secret,
    agent,
    number,
    "base-url": baseUrl,
  } = parsed(args);
  if (asked) return "help";
  if (tenant !== undefined && key !== undefined)
    throw new CannotCall("--tenant is for the demo's tenants and --key for any other: give one of them.");
  const reach: Reach = {
    address: address && urlIn("address", address).href,
    secret,
    agent,
    number,
    baseUrl: baseUrl && urlIn("base-url", baseUrl).href,
  };
  if (key === undefined && Object.values(reach).some((one) => one !== undefined))
    throw new CannotCall("--address, --secret, --agent, --number and --base-url go with --key: the demo's tenants have theirs.");
  return {
    platform: oneOf(platforms, "platform", platform),
    scenario: oneOf(scenarios, "scenario", scenario),
    count: positive("count", count),
    json,
    callee: key === undefined ? { tenant: positive("tenant", tenant ?? "1") } : { key: keyIn(key), ...reach },
    ...(origin === undefined ? {} : { origin: urlIn("origin", origin).origin }),
  };
}

const parsed = (args: string[]) => {
  try {
    return parseArgs({
      args,
      options: {
        platform: { type: "string", default: "vapi" },
        scenario: { type: "string", default: "book" },
        count: { type: "string", default: "1" },
        tenant: { type: "string" },
        key: { type: "string" },
        address: { type: "string" },
        secret: { type: "string" },
        agent: { type: "string" },
        number: { type: "string" },
        "base-url": { type: "string" },
        origin: { type: "string" },
        json: { type: "boolean", default: false },
        help: { type: "boolean", default: false },
      },
    }).values;
  } catch (cause) {
    throw new CannotCall(`The options are invalid; see --help. An example: ${example}`, { cause });
  }
};

const oneOf = <Choices extends object>(choices: Choices, option: string, value: string): keyof Choices & string => {
  if (!Object.hasOwn(choices, value))
    throw new CannotCall(`--${option} ${value} does not exist; choose from ${Object.keys(choices).join(", ")}.`);
  return value as keyof Choices & string;
};

const positive = (option: string, value: string): number => {
  if (!/^[1-9]\d{0,3}$/.test(value)) throw new CannotCall(`--${option} is a number from 1 up, not ${value}.`);
  return Number(value);
};

const keyIn = (value: string): string => {
  if (!/^vtl_live_[0-9A-Za-z]+$/.test(value)) throw new CannotCall("--key is a tenant's API key, which begins with vtl_live_.");
  return value;
};

const urlIn = (option: string, value: string): URL => {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (!url || !/^https?:$/.test(url.protocol))
    throw new CannotCall(`--${option} is an address such as http://localhost:8080, not ${value}.`);
  return url;
};
