import type { Appointment } from "fhir/r4.js";
import * as z from "zod/mini";
import type { Run } from "../sdk/run.ts";

export type Gender = "female" | "male";
/** Whom a patient sees already: "Practitioner/17" and "PractitionerRole/3", and their names. */
export type UsualDoctors = { references: string[]; names: string[] };

/** `practitioner`, `service` and `location` in the caller's words. */
export type SlotCriteria = {
  practitioner?: string | undefined;
  gender?: Gender | undefined;
  usualDoctors?: UsualDoctors | undefined;
  service?: string | undefined;
  location?: string | undefined;
  schedule?: string | undefined;
};
/** What a query names that the calendar does not have. "gender": it does not tell the gender of its doctors. `places`: those there are. */
export type Unmatched = { term: "practitioner" | "service" | "gender" | "location"; places?: string[] };
export type TimeWindow = { from: Date; until: Date };
export type SlotFilter = {
  isWanted(offer: OpenSlot): boolean;
  isPreferred?: ((offer: OpenSlot) => boolean) | undefined;
  isEnough(offers: OpenSlot[]): boolean;
  /** Minutes since midnight. */
  minutes?: { from: number; until: number } | undefined;
  /** The appointment that is moved: its time is free for it. */
  movedId?: string | undefined;
};
/** `searchedUntil`: the end of the complete part, if time ran out. */
export type FreeSlots = { slots: OpenSlot[]; searchedUntil?: Date };

/** `start` and `end` where the server tells them before booking. */
type BookableSlot = { start?: Date; end?: Date; book(): Promise<Appointment> };

export type SlotSource = {
  /** Whether the server tells a slot's time by its id. */
  canReadSlot: boolean;
  /**
   * Matching times in the window, the earliest first, until there are enough or time runs out. AppError `ehr_unsupported` if the server
   * has no search.
   */
  search(run: Run, query: SlotCriteria, window: TimeWindow, filter: SlotFilter): Promise<FreeSlots>;
  /** The term that no schedule matches; undefined if the server does not tell. */
  unmatched(run: Run, query: SlotCriteria): Promise<Unmatched | undefined>;
  /** Checks the slot again where the server can tell: AppError `slot_taken`. `movedId`: as in `SlotFilter`. */
  prepareBooking(run: Run, slotId: string, movedId?: string): Promise<BookableSlot>;
  /** To offer similar times; empty if the server does not tell. */
  describeSlot(run: Run, slotId: string): Promise<{ start?: Date; schedule?: string | undefined; service?: string | undefined }>;
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
  gender: z.optional(z.enum(["female", "male"])),
  city: z.optional(z.string()),
});
export type OpenSlot = z.output<typeof OpenSlot>;
