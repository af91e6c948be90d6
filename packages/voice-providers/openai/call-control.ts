import { errorFields, isAppError, type ErrorCode } from "@vitaline/core";
import { type CallControl, callLine } from "@vitaline/tools";
import * as z from "zod/mini";
import type { CallAccess } from "../voice-platform.ts";
import { controlCall, type CommandResult } from "./api.ts";

/** The agent's last sentence may still be playing: OpenAI generates it faster than it is spoken. */
const lastSentenceMs = 3000;

const Routed = z.object({ destinations: z.array(z.object({ label: z.string(), phone: z.string() })), noted: z.boolean() });
const Fields = z.record(z.string(), z.unknown());

/** Source: openai 7.55.0 realtime.calls and live.sessions. */
export function openAiCallControl(callId: string, access: CallAccess): CallControl {
  const { connection, record, audit, log, pause } = access;

  const attempt = async (command: () => Promise<CommandResult>): Promise<CommandResult | ErrorCode> => {
    try {
      return await command();
    } catch (error) {
      log("warn", "openai.call_control_failed", errorFields(error));
      return isAppError(error) ? error.code : "unavailable";
    }
  };
  const finish = async (
    action: "call.transfer" | "call.hangUp",
    result: CommandResult | ErrorCode,
    known?: Parameters<typeof record>[0],
  ) => {
    try {
      if (known) await record(known);
      await audit({ action, success: result === "done", ...(result === "done" ? {} : { code: result }) });
    } catch (error) {
      // The caller is with staff, or gone: the answer does not depend on the record.
      log("error", "openai.call_control_unrecorded", errorFields(error));
    }
  };

  return {
    async transfer(answer, args) {
      const { data: routed } = z.safeParse(Routed, answer.output);
      if (!answer.ok || !routed || routed.destinations.length === 0) return answer;
      await pause(lastSentenceMs);
      let dialed: string | undefined;
      const result = await attempt(async () => {
        const opened = await connection();
        let referred: CommandResult = "refused";
        for (const { phone } of routed.destinations) {
          dialed = phone;
          referred = await controlCall(opened, callId, "refer", { target_uri: `tel:${phone}` });
          if (referred !== "refused") break;
        }
        return referred;
      });
      if (result === "done") {
        await finish("call.transfer", result, { platform: "openai", callId, forwarded: true, forwardedTo: dialed });
        return answer;
      }
      await finish("call.transfer", result);
      return {
        ...answer,
        speech: callLine(routed.noted ? "notPutThroughNoted" : "notPutThrough", await access.language(args)),
        output: { ...z.parse(Fields, answer.output), outcome: "callback", destinations: [] },
      };
    },

    async hangUp() {
      await pause(lastSentenceMs);
      const result = await attempt(async () => controlCall(await connection(), callId, "hangup"));
      const endedAt = access.clock().toISOString();
      const ended =
        result === "done"
          ? ({ status: "completed", endedReason: "assistant-ended-call" } as const)
          : ({ status: "unknown", endedReason: "call-gone" } as const);
      const isOver = result === "done" || result === "gone";
      await finish("call.hangUp", result, isOver ? { platform: "openai", callId, endedAt, ...ended } : undefined);
      const language = await access.language();
      return isOver
        ? { ok: true, speech: callLine("goodbye", language) }
        : { ok: false, code: "unavailable", speech: callLine("hangUpYourself", language) };
    },
  };
}
