import type { ApiKey, ListedCall } from "@vitaline/contract";
import { type Platform, recordedAs } from "./platform-agent.ts";

type Facts = {
  keys: readonly Pick<ApiKey, "status">[];
  /** The newest calls. */
  calls: readonly Pick<ListedCall, "platform" | "toolsUsed" | "isTest" | "status">[];
};
export type SetupStep = { title: string; text: string; isDone: boolean };

const isOver = ({ status }: Pick<ListedCall, "status">): boolean => !["queued", "ringing", "in_progress"].includes(status);

/** Each step is done when its data says so; pressing a button does not do it. */
export const setupStepsOf = (platform: Platform, platformName: string, { keys, calls }: Facts): SetupStep[] => {
  const valid = keys.filter(({ status }) => status !== "revoked");
  const tests = calls.filter((one) => one.isTest && one.platform === recordedAs(platform));
  const real = calls.filter((one) => !one.isTest && one.platform === platform);
  return [
    {
      title: "Create a key",
      text: "Your organization has one from the start; you can create a new one under API Keys. It identifies your organization in each request.",
      isDone: valid.length > 0,
    },
    {
      title: "Try the tools in a test call",
      text: "Below, in the browser. Done when a test call with a tool has ended.",
      isDone: tests.some((one) => one.toolsUsed.length > 0 && isOver(one)),
    },
    {
      title: `Paste the configuration at ${platformName}`,
      text: `Copy each part below to the place it names. Done when ${platformName} has sent something about a call that was not a test.`,
      // Not the use of the key: a test call in the browser uses it too.
      isDone: real.length > 0,
    },
    {
      title: `First tool from ${platformName}`,
      text: "Ask your agent something that it has to look up, such as the office’s hours. Done when a tool was run in a call that was not a test.",
      isDone: real.some(({ toolsUsed }) => toolsUsed.length > 0),
    },
    {
      title: "First complete call",
      text: `Hang up, and ${platformName} sends its report. Done when a call that was not a test has ended.`,
      isDone: real.some(isOver),
    },
  ];
};
