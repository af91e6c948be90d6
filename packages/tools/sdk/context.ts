import type { ErrorCode } from "@vitaline/core";
import type { Ehr } from "@vitaline/fhir-providers";
import type { TenantContext, TenantRow } from "@vitaline/store";

/** What a tool needs of its request: the tenant's rows, and the way to the tenant's EHR. */
export type ToolContext = TenantContext & {
  /** Reads ahead what opening the record system of a place will need; `hint` is an office, an agent, or "". */
  foreseeEhr(asked: { hint: string; scopes: readonly string[] }): Promise<void>;
  /** `scopes` are what the work needs: AppError `ehr_not_allowed` where the connection's own do not hold them. */
  openEhr(tenant: TenantRow, options: { officeId?: string | undefined; scopes: readonly string[] }): Promise<Ehr>;
  /** How long a run may take; as long as a caller waits when absent. */
  patience?: Patience;
};

/** One tool call, as every platform's adapter hands it over. */
export type ToolCall = {
  platform: string;
  /** The platform's own id of the call. */
  callId: string;
  /** keys.callKeyOf(platform, callId). */
  callKey: string;
  /** The platform's own id of the agent that answers; the office of its assignment is the call's, if no other is known. */
  agentId?: string;
  officeId?: string;
  /** The number the caller phones from, if the platform says, or digits that stand for it; it is only counted with, never believed. */
  callerNumber?: string;
  /** The tenant's own number that the call goes over, if the platform says; the office with it is the call's, if no other is known. */
  calledNumber?: string;
  toolCallId?: string;
  name: string;
  /** Object, JSON text or nothing: models send all three. */
  args: unknown;
};

/**
 * `speech` is one line that a voice can say, also after a failure; `output` is for models that read structure, and so is `fields`: which
 * arguments are missing or wrong, and in which form they are wanted.
 */
export type ToolAnswer = { ok: boolean; code?: ErrorCode; speech: string; output?: unknown; fields?: Record<string, string> };

/** A caller hears silence after `answerMs`; platforms wait longer. `writeMs` is for one write at the record system. */
export type Patience = { answerMs: number; writeMs: number };
