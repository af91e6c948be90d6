import { parseArgs } from "node:util";
import { CannotCall } from "./demo-file.ts";
import { platforms, type PlatformName } from "./run-call.ts";
import { scenarios, type ScenarioName } from "./scenarios.ts";

export type Options = { platform: PlatformName; scenario: ScenarioName; tenant: number; count: number };

const usage = "npm run call -- --platform vapi --scenario book --tenant 1 --count 1";

/** The command line, checked. CannotCall says which choices there are. */
export function readOptions(args: string[]): Options {
  const { platform, scenario, tenant, count } = parsed(args);
  return {
    platform: oneOf(platforms, "platform", platform),
    scenario: oneOf(scenarios, "scenario", scenario),
    tenant: positive("tenant", tenant),
    count: positive("count", count),
  };
}

const parsed = (args: string[]) => {
  try {
    return parseArgs({
      args,
      options: {
        platform: { type: "string", default: "vapi" },
        scenario: { type: "string", default: "book" },
        tenant: { type: "string", default: "1" },
        count: { type: "string", default: "1" },
      },
    }).values;
  } catch (cause) {
    throw new CannotCall(`That is not how a call is made. An example: ${usage}`, { cause });
  }
};

const oneOf = <Choices extends object>(choices: Choices, option: string, value: string): keyof Choices & string => {
  if (!Object.hasOwn(choices, value))
    throw new CannotCall(`--${option} ${value} does not exist; there is ${Object.keys(choices).join(", ")}.`);
  return value as keyof Choices & string;
};

const positive = (option: string, value: string): number => {
  if (!/^[1-9]\d{0,3}$/.test(value)) throw new CannotCall(`--${option} is a number from 1 up, not ${value}.`);
  return Number(value);
};
