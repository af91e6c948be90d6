import * as z from "zod/mini";

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
 * A line of functions.log as a terminal shows it: only what went wrong, and of that what leads to the rest in the log.
 * Undefined for everything else, such as the further lines of a stack. `line` is a function's name, a space, what it printed.
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
