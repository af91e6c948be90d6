import { filledIn } from "@vitaline/core";
import { keys } from "@vitaline/store";
import type { ToolAnswer, ToolCall } from "@vitaline/tools";
import * as z from "zod/mini";
import { noCallSpeech, readCallId, wireName } from "../decoding/fields.ts";
import type { Around, ToolRequest } from "../port.ts";
import { Call } from "./webhook.ts";

const callIdHeader = "x-retell-call-id";

const Fields = z.record(z.string(), z.unknown());

/**
 * The tool that a custom function of Retell's asks for; undefined for a webhook, which carries an `event`. Either
 * `{name, call, args}`, or ("Payload: args only") the arguments themselves, with `call` beside them or not, and the name in
 * the path. A name in the path counts before one in the body. Retell gives the tool call no id of its own.
 *
 * The call is `call.call_id`, or what header `x-retell-call-id` holds, which a tenant sets to `{{call_id}}`; two that differ
 * name none. Among bare arguments, all of which a model may have filled in, no `call` is believed: there the header alone says.
 * Without a call the request is refused with a sentence; AppError `invalid_request` for what cannot be an id.
 * Source: retell-sdk 5.66.1 LlmResponse.CustomTool, Retell's pages on custom functions.
 */
export function decodeToolCalls(body: unknown, { toolName, header }: Around): ToolRequest | undefined {
  const fields = z.safeParse(Fields, body).data;
  if (toolName === undefined && (!fields || typeof fields["event"] === "string")) return undefined;
  const { name, args, call } = asked(fields, toolName, body);
  const callId = oneOf(readCallId("call.call_id", call?.call_id), filledIn(header(callIdHeader)));
  if (callId === undefined) return { calls: [], refused: [{ toolCallId: "", name, speech: noCallSpeech }], single: true };
  const callKey = keys.callKeyOf("retellai", callId);
  return {
    calls: [{ platform: "retellai", callId, callKey, ...numbersOf(call), agentId: call?.agent_id, name, args }],
    refused: [],
    single: true,
  };
}

type Asked = Pick<ToolCall, "name" | "args"> & { call: Call | undefined };

/** An argument may be called `name` too: then there is no `args` beside it. */
const asked = (fields: Record<string, unknown> | undefined, toolName: string | undefined, body: unknown): Asked => {
  const { name, call: said, ...beside } = fields ?? {};
  const call = z.parse(Call, said);
  const word = typeof name === "string" ? name : undefined;
  const isEnvelope = toolName === undefined || (word !== undefined && "args" in beside);
  if (isEnvelope) return { name: wireName(toolName ?? word), args: beside["args"], call };
  const args = fields ? { ...beside, ...(name === undefined ? {} : { name }) } : body;
  return { name: wireName(toolName), args, call: undefined };
};

/** The person is who dials, or, where the agent does, who is dialled. */
const numbersOf = (call: Call | undefined): Pick<ToolCall, "callerNumber" | "calledNumber"> =>
  call?.direction === "outbound"
    ? { callerNumber: call.to_number, calledNumber: call.from_number }
    : { callerNumber: call?.from_number, calledNumber: call?.to_number };

const oneOf = (inBody: string | undefined, inHeader: string | undefined): string | undefined =>
  inBody === undefined || inHeader === undefined || inBody === inHeader ? (inBody ?? inHeader) : undefined;

/** Retell cuts an answer off after so many characters. */
const mostCharacters = 15_000;
/** Nobody listens to more; six characters of JSON each at the very worst. */
const mostSpoken = 2000;

type RetellResult = { ok: true; speech: string; data?: unknown } | { ok: false; error: string; data?: unknown };

/**
 * The answer to a custom function, which the agent's model reads: what to say, as `error` when the tool could not do it, and
 * what was found or which arguments were wrong, as far as Retell takes it. Source: Retell's pages on custom functions.
 */
export function encodeResults({ refused }: ToolRequest, answers: readonly ToolAnswer[]): RetellResult {
  const [answer = { ok: false, speech: refused[0]?.speech ?? "I couldn't do that right now." }] = answers;
  const data = answer.output ?? (answer.fields && { fields: answer.fields });
  const whole = said(answer, data);
  if (fits(whole)) return whole;
  const spoken = said(answer);
  return fits(spoken) ? spoken : said({ ...answer, speech: answer.speech.slice(0, mostSpoken) });
}

const fits = (result: RetellResult): boolean => JSON.stringify(result).length <= mostCharacters;

const said = ({ ok, speech }: ToolAnswer, data?: unknown): RetellResult => ({
  ...(ok ? { ok, speech } : { ok, error: speech }),
  ...(data === undefined || data === null ? {} : { data }),
});
