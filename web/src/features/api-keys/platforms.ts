import type { Snippet } from "@vitaline/contract";
import { platformNames } from "../../lib/format/labels.ts";

/** The platforms that there is something to paste into, in the order in which they are offered. */
export const platforms: readonly { value: Snippet["platform"]; label: string }[] = [
  { value: "vapi", label: platformNames.vapi },
  { value: "retellai", label: platformNames.retellai },
  { value: "elevenlabs", label: platformNames.elevenlabs },
  { value: "openai", label: platformNames.openai },
  { value: "mcp", label: "Any MCP client" },
];

/** The platform of that name; the first where there is none. */
export const platformOf = (name: string | undefined): Snippet["platform"] => platforms.find(({ value }) => value === name)?.value ?? "vapi";
