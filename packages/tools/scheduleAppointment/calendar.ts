import type { Strategy } from "@vitaline/fhir-providers";
import type { Appointment } from "fhir/r4.js";
import type { Run } from "../define-tool.ts";
import { findAndBook } from "./find-and-book.ts";
import type { Input } from "./input.ts";
import type { OpenSlot } from "./output.ts";
import { slotCalendar } from "./slots.ts";

/** With whom and what for, in the caller's words. */
export type Whom = Pick<Input, "practitioner" | "service">;
export type Window = { from: Date; until: Date };
type Wanted = (offer: OpenSlot) => boolean;

/** A time that was free a moment ago; from when to when, where the server tells it beforehand. */
type Free = { start?: Date; end?: Date; take(): Promise<Appointment> };

/** How a server is asked for free times, and how one of them becomes an appointment. */
export type Calendar = {
  /**
   * The times that start in the window and are `wanted`; a server that tells only some at once is asked on until there are enough.
   * AppError `ehr_unsupported` for a server that cannot be asked.
   */
  offers(run: Run, whom: Whom, window: Window, wanted: Wanted): Promise<OpenSlot[]>;
  /** What nobody and nothing here is called, of what was asked for; undefined where the server does not tell. */
  unknown(run: Run, whom: Whom): Promise<"practitioner" | "service" | undefined>;
  /** Looks once more at the offered time before it is taken: AppError `slot_taken` when it is not free. */
  look(run: Run, slotId: string): Promise<Free>;
};

export const calendarFor = (strategy: Strategy): Calendar => (strategy.booking === "find-and-book" ? findAndBook : slotCalendar(strategy));
