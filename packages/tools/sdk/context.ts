import type { Language } from "@vitaline/contract";
import type { ErrorCode } from "@vitaline/core";
import type { Ehr } from "@vitaline/fhir-providers";
import type { TenantContext, TenantRow } from "@vitaline/store";

export type ToolContext = TenantContext & {
  /** Reads ahead the rows for opening an EHR; `cacheKey` names the office, or the agent and the called number. */
  prefetchEhr(options: { cacheKey: string; scopes: readonly string[] }): Promise<void>;
  /** AppError `ehr_not_allowed` if the connection lacks one of the scopes. */
  openEhr(tenant: TenantRow, options: { officeId?: string | undefined; scopes: readonly string[] }): Promise<Ehr>;
  timeLimits?: TimeLimits;
};

export type ToolCall = {
  platform: string;
  /** The platform's id of the call. */
  callId: string;
  /** keys.callKeyOf(platform, callId). */
  callKey: string;
  /** The platform's id of the agent; its assignment gives the office if no other is known. */
  agentId?: string;
  officeId?: string;
  /** Counted for limits, and the number of an emergency task; never proof of identity. */
  callerNumber?: string;
  /** Stands for the number, where a call token hides it: counted for limits, no number to dial. */
  callerMark?: string;
  /** The tenant's number that was called; gives the office if no other is known. */
  calledNumber?: string;
  /** The language that the platform is set to. */
  language?: Language;
  toolCallId?: string;
  /** Of a test call, or a run of the tool console. */
  isTest?: true;
  name: string;
  /** An object, JSON text or nothing. */
  args: unknown;
};

/**
 * `speech`: one to three sentences for a voice, also after a failure; `output` is structured. `fields`: missing or wrong arguments, with the
 * expected form.
 */
export type ToolAnswer = { ok: boolean; code?: ErrorCode; speech: string; output?: unknown; fields?: Record<string, string> };

/** Milliseconds for the whole answer, and for one write at the EHR. */
export type TimeLimits = { answerMs: number; writeMs: number };
