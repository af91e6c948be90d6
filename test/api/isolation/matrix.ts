import { findLeakingAnswers, findSharedCalls, findAcceptedCursors } from "./answers.ts";
import { callersOf } from "./callers.ts";
import { findAcceptedForeignIds } from "./foreign.ts";
import { findRoleViolations } from "./roles.ts";
import type { TestPlatform } from "../../kit/platform.ts";

export async function runIsolationMatrix(test: TestPlatform): Promise<{ callers: number; asked: number; broken: string[] }> {
  const callers = await callersOf(test);
  const roles = await findRoleViolations(test, callers);
  const leaks = [
    ...(await findLeakingAnswers(test, callers)),
    ...(await findAcceptedCursors(test, callers)),
    ...(await findSharedCalls(test, callers)),
  ];
  const foreign = await findAcceptedForeignIds(test, callers);
  return { callers: callers.length, asked: roles.asked + foreign.asked, broken: [...roles.broken, ...leaks, ...foreign.broken] };
}
