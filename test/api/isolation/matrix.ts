import { answersLeaking, callsShared, cursorsTaken } from "./answers.ts";
import { callersOf } from "./callers.ts";
import { foreignIdsTaken } from "./foreign.ts";
import { rolesBroken } from "./roles.ts";
import type { TestPlatform } from "../../kit/platform.ts";

export async function askEverything(test: TestPlatform): Promise<{ callers: number; asked: number; broken: string[] }> {
  const callers = await callersOf(test);
  const roles = await rolesBroken(test, callers);
  const leaks = [...(await answersLeaking(test, callers)), ...(await cursorsTaken(test, callers)), ...(await callsShared(test, callers))];
  const foreign = await foreignIdsTaken(test, callers);
  return { callers: callers.length, asked: roles.asked + foreign.asked, broken: [...roles.broken, ...leaks, ...foreign.broken] };
}
