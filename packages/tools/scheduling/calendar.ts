import type { Appointment } from "fhir/r4.js";
import * as z from "zod/mini";
import type { Run } from "../sdk/run.ts";

/** With whom and what for, in the caller's words; or the very schedule that another time was of. */
export type Whom = { practitioner?: string | undefined; service?: string | undefined; schedule?: string | undefined };
export type Window = { from: Date; until: Date };
export type Wanted = {
  isWanted(offer: OpenSlot): boolean;
  /** What is offered before anything else; everything unless told. */
  isPreferred?: ((offer: OpenSlot) => boolean) | undefined;
  /** Whether these are enough to choose from. */
  isEnough(offers: OpenSlot[]): boolean;
  /** In which part of a day wanted times are, in minutes since midnight, where that is known. */
  minutes?: { from: number; until: number } | undefined;
};
/** `searchedUntil`: before which moment all that is wanted is among them, where there was no time to look further. */
export type Offers = { open: OpenSlot[]; searchedUntil?: Date };

/** A time that was free a moment ago; from when to when, where the server tells it beforehand. */
type Free = { start?: Date; end?: Date; take(): Promise<Appointment> };

/** How a server is asked for free times, and how one of them becomes an appointment. */
export type Calendar = {
  /**
   * The times that start in the window and are wanted, the earliest first. The server is asked on until they are enough, or until there
   * is no more time.
   * AppError `ehr_unsupported` for a server that cannot be asked.
   */
  offers(run: Run, whom: Whom, window: Window, wanted: Wanted): Promise<Offers>;
  /** What nobody and nothing here is called, of what was asked for; undefined where the server does not tell. */
  unknown(run: Run, whom: Whom): Promise<"practitioner" | "service" | undefined>;
  /** Looks once more at the offered time before it is taken: AppError `slot_taken` when it is not free. */
  look(run: Run, slotId: string): Promise<Free>;
  /** When a time is and of what, so that others like it can be offered; empty where the server does not tell. */
  about(run: Run, slotId: string): Promise<{ start?: Date; schedule?: string | undefined; service?: string | undefined }>;
};

export const timesOfDay = ["morning", "afternoon", "evening"] as const;

export type TimeOfDay = (typeof timesOfDay)[number];

export const OpenSlot = z.object({
  slotId: z.string(),
  start: z.string(),
  end: z.string(),
  practitioner: z.optional(z.string()),
  location: z.optional(z.string()),
  service: z.optional(z.string()),
});
export type OpenSlot = z.output<typeof OpenSlot>;
