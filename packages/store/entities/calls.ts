import type { CallResult, CallStatus, Language, ProxyRelationship, ProxyScope, RoutingReason } from "@vitaline/contract";
import { sha256In } from "@vitaline/core";
import { tenantPartitions } from "./partitions.ts";
import { tenantEntity, type QuotaUnits } from "./entity.ts";

/** A call's id in keys: the platform's own id is foreign text, so it is hashed. */
export const callKeyOf = (platformName: string, callId: string): string => sha256In("call", platformName, callId).slice(0, 40);

/** The ids of test calls begin with this; whether a call is a test is on its row. */
export const testCallPrefix = "test-";

type SealedFile = { key: string; bytes: number; sha256: string };

export type CallRow = {
  callKey: string;
  platform: "vapi" | "retellai" | "elevenlabs" | "openai" | "mcp";
  platformCallId: string;
  /** Orders the platform's reports; never decreases. See packages/calls/events/call-row.ts. */
  rank: number;
  status: CallStatus;
  /** Its position in lists: the start as known at the first report. */
  startedAt: string;
  /** The day of the start in the time zone that the tenant had then; the totals count the call on it. */
  day?: string;
  /** The start according to the platform, never in the future. */
  platformStartedAt?: string;
  endedAt?: string;
  durationSeconds?: number;
  endedReason?: string;
  outcome?: string;
  officeId?: string;
  agentId?: string;
  direction?: "inbound" | "outbound";
  forwarded: boolean;
  /** From the platform's own evaluation. */
  success?: boolean;
  /** The sender stated that the call is resolved; its word stands. */
  statedResolved?: boolean;
  /** A tool did what the caller wanted. */
  helped?: boolean;
  /** The caller was to be put through or called back. */
  soughtStaff?: boolean;
  /** The conversation ended before the caller was done. */
  cutShort?: boolean;
  /** The four fields above are recorded; older calls are judged by status and `success` until events/retain fills them in. */
  hasSignals?: boolean;
  /** When the end of the call was recorded; set once. */
  endSeenAt?: string;
  costAmount?: number;
  costCurrency?: string;
  agentName?: string;
  sentiment?: string;
  latencyP50Ms?: number;
  latencyP95Ms?: number;
  language?: string;
  rating?: number;
  recordingConsentType?: string;
  recordingConsentAt?: string;
  toolsUsed?: Set<string>;
  /** A run of a tool failed. Absent without tools, and on calls of before this field until events/retain fills it in. */
  toolFailed?: boolean;
  /** The tools that failed; filled in like the field above. */
  failedTools?: Set<string>;
  /** What tools achieved. */
  results?: Set<CallResult>;
  /** Why the caller called, as the agent logged it last. */
  intent?: RoutingReason;
  /** Each reason that the agent logged. */
  loggedReasons?: Set<RoutingReason>;
  /** Keyed hash of the number that is not the clinic's, and its last four digits. */
  numberHash?: string;
  numberEnding?: string;
  transcript?: SealedFile;
  /** A summary that came without a transcript. */
  summary?: SealedFile;
  /** The platform's analysis that came without transcript and summary. */
  analysis?: SealedFile;
  /** Caller, called and forwarding numbers that came at the end without any of the above. */
  numbers?: SealedFile;
  /** The same numbers, reported during the call. */
  liveNumbers?: SealedFile;
  /** Staff followed up with the patient after an unsuccessful call; the note is sealed. */
  followUp?: { doneAt: string; doneBy: string; sealedNote?: string };
  /** Of the follow-up only; reports of the platform are ordered by `rank`. */
  version?: number;
  /** Made in the console to try the tools: in the list, and in no total. */
  isTest?: true;
  /** The content was erased; the data for totals and billing remains. */
  erasedAt?: string;
  erasureId?: string;
  /** Epoch seconds: end of the retention of the sealed texts. */
  textsUntil?: number;
  /** Start of the retention periods, where the first report came long after the call's start. Absent: the start. */
  keptFrom?: string;
  expiresAt: number;
  gsi1pk: string;
  gsi1sk: string;
};
/** Bookkeeping: the row itself records what the voice platform did; access to patient records is in the tools' audit rows. */
export const call = tenantEntity<CallRow, [callKey: string]>({
  entity: "call",
  writeKind: "bookkeeping",
  lifetime: "expires",
  gsi1: ["calls", "erasedCalls"],
  primaryKey: (tenantId, callKey) => ({ pk: tenantPartitions.callItems(tenantId, callKey), sk: "CALL" }),
});

/** Finds a call by the number that is not the clinic's; ends with the call's texts. */
export type CallOfNumberRow = { callKey: string; expiresAt: number };
export const callOfNumber = tenantEntity<CallOfNumberRow, [numberHash: string, startedAt: string, callKey: string]>({
  entity: "callOfNumber",
  writeKind: "projected",
  lifetime: "expires",
  primaryKey: (tenantId, numberHash, startedAt, callKey) => ({
    pk: tenantPartitions.callsOfNumber(tenantId, numberHash),
    sk: `${startedAt}#${callKey}`,
  }),
});

/** A call in progress; expires when no more reports arrive. */
export type LiveCallRow = Pick<
  CallRow,
  "callKey" | "platform" | "startedAt" | "platformStartedAt" | "status" | "officeId" | "agentId" | "direction" | "isTest"
> & { expiresAt: number };
export const liveCall = tenantEntity<LiveCallRow, [callKey: string]>({
  entity: "liveCall",
  writeKind: "projected",
  lifetime: "expires",
  primaryKey: (tenantId, callKey) => ({ pk: tenantPartitions.live(tenantId), sk: callKey }),
});

/** `basis`: what shows that they may: the record system's RelatedPerson, a contact in the chart, or staff's approval ("proxy"). */
export type ActsFor = {
  relationship: ProxyRelationship;
  scope: ProxyScope;
  basis: "related_person" | "contact" | "proxy";
  /** The id of staff's approval, also where it only limits a parent. */
  proxyId?: string;
  /** Keyed hash of the speaker's name, which tells one speaker from another. */
  speakerHash: string;
};

/** The caller's verified identity and what tools remember during a call. */
export type CallStateRow = {
  level: 0 | 1 | 2;
  patientId?: string;
  /** The FHIR provider of the match; another provider requires a new verification. */
  providerId?: string;
  /** Keyed hash of the matched name and birth date: a patient with another id must be the same person. */
  identityHash?: string;
  /** Names of the matched factors, for a step-up. */
  factors?: string[];
  /** Who speaks for the patient, and what they may know and do; absent: the patient. */
  actsFor?: ActsFor;
  /** Keyed hashes of the patients for whom someone claimed to speak in this call: none of them is verified as the caller. */
  proxyClaims?: Set<string>;
  /** Stays when the verification ends. */
  wasVerifiedAsSelf?: true;
  /** End of the verified identity, however long the row stays. */
  verifiedUntilMs?: number;
  /** The verified patient's language, and the one to interpret, if an interpreter is needed. */
  patientLanguage?: Language;
  interpreter?: string;
  /** The language of the call, as the voice agent named it. */
  language?: Language;
  /** The execution key of the booking that was counted last. */
  lastCountedExecutionKey?: string;
  /** No more appointments can be booked for the patient, as far as this call has seen: of the call, or of the patient. */
  bookingLimit?: "call" | "patient";
  /** A slot reserved for the caller, who was offered it as a replacement. */
  reservedSlotId?: string;
  /** Of a test call; its tools' runs are in no total. */
  isTest?: true;
  tries: number;
  /**
   * Counted identity checks with their results, by request key. Level 0: not verified. `patientHash`: keyed hash of the patient.
   */
  identityChecks?: { request: string; level: 0 | 1 | 2; attemptsLeft: number; patientHash?: string }[];
  /** No tool runs for the call from then on. */
  callEndedAt?: string;
  expiresAt: number;
} & QuotaUnits<"newPatient"> &
  BookingCounts;
/** Bookings of a call by their patient's id, where the EHR does not show which visits were booked in the call. */
type BookingCounts = { [count in `countedBookings_${string}`]?: number };
export const callState = tenantEntity<CallStateRow, [callKey: string]>({
  entity: "callState",
  writeKind: "bookkeeping",
  lifetime: "expires",
  primaryKey: (tenantId, callKey) => ({ pk: tenantPartitions.callItems(tenantId, callKey), sk: "STATE" }),
});

/** Times offered in a call. `latest`: the slot ids of the last answer, in its order. `offered`: all offers, each as JSON. */
export type CallOffersRow = { latest: string[]; offered: Set<string>; expiresAt: number };
export const callOffers = tenantEntity<CallOffersRow, [callKey: string]>({
  entity: "callOffers",
  writeKind: "bookkeeping",
  lifetime: "expires",
  primaryKey: (tenantId, callKey) => ({ pk: tenantPartitions.callItems(tenantId, callKey), sk: "OFFERS" }),
});

/** The one-time code of a call. */
export type CallCodeRow = {
  /** Keyed hash of the code, which is not stored; absent when no code is valid. */
  hash?: string;
  /** The recipient, and its FHIR provider. */
  patientId?: string;
  providerId?: string;
  /** Who asked for it, where that is not the patient: `ActsFor.speakerHash`. */
  speakerHash?: string;
  endsAtMs?: number;
  /** The number of codes sent in the call, and the request of the last one. */
  sent?: number;
  sentBy?: string;
  /** The number of guesses, and the request of the last one. */
  tries?: number;
  triedBy?: string;
  expiresAt: number;
};
export const callCode = tenantEntity<CallCodeRow, [callKey: string]>({
  entity: "callCode",
  writeKind: "bookkeeping",
  lifetime: "expires",
  primaryKey: (tenantId, callKey) => ({ pk: tenantPartitions.callItems(tenantId, callKey), sk: "ONETIMECODE" }),
});
