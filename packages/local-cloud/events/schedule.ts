import { randomUUID } from "node:crypto";
import type { Lambda } from "../lambda/index.ts";
import type { ScheduleTrigger } from "../template/triggers.ts";

/** Invokes the rule's function by the clock until stopped. A run that fails is in the function's log; the next one comes anyway. */
export function runSchedule(trigger: ScheduleTrigger, invoke: Lambda["invoke"]): { stop(): void } {
  const timer = setInterval(() => void invoke(trigger.functionArn, scheduledEvent(trigger)), trigger.everyMs);
  return { stop: () => clearInterval(timer) };
}

/** What the function receives: the rule's own input, else EventBridge's event. */
export const scheduledEvent = ({ ruleArn, account, region, input }: ScheduleTrigger): unknown =>
  input === undefined
    ? {
        version: "0",
        id: randomUUID(),
        "detail-type": "Scheduled Event",
        source: "aws.events",
        account,
        time: `${new Date().toISOString().slice(0, 19)}Z`,
        region,
        resources: [ruleArn],
        detail: {},
      }
    : JSON.parse(input);
