import type { Language } from "@vitaline/contract";

/** A text in each language. */
export type Bilingual<Text = string> = Readonly<Record<Language, Text>>;

/** reachable: someone on duty can take the call. unstaffed: it is open, but no one can. unknown: not looked up yet, or the lookup failed. */
export type OfficeState = "reachable" | "unstaffed" | "closed" | "unknown";

type ListOptions = {
  /** "or" for a choice; "and" if absent. */
  word?: "and" | "or";
  /** The rest is counted; three if absent. */
  most?: number;
  /** How many there are that are not in the list. */
  more?: number;
};

/** Words in the caller's language, with days and times relative to now. */
export type Phrasing = {
  language: Language;
  /** The text of the caller's language. */
  say(this: void, text: Bilingual): string;
  /** "tomorrow", "Tuesday, December 1"; "el martes 1 de diciembre". For a day, yyyy-mm-dd, or an instant. */
  day(this: void, when: string): string;
  /** "Saturdays", "los sábados", of a day. */
  weekdays(this: void, day: string): string;
  /** "9:30 AM", "las 9:30 de la mañana". Of minutes after midnight, or of an instant. */
  clock(this: void, at: number | string): string;
  /** "tomorrow at 9:30 AM", "el martes 1 de diciembre a las 9:30 de la mañana". */
  time(this: void, start: string, timeZone?: string): string;
  /** As time, where English needs "on" before a date. */
  onTime(this: void, start: string, timeZone?: string): string;
  /** As time, but of a day near with its date: "tomorrow, Saturday, November 28, at 9:30 AM". */
  fullTime(this: void, start: string, word?: "on"): string;
  /** "on October 3, 2026", "in October 2026", "in 2026", as exact as the record. */
  when(this: void, recorded: string): string;
  /** "a", "a and b", "a, b and 4 more". */
  list(this: void, items: readonly string[], options?: ListOptions): string;
  /** "Dr. Larkmere" → "Doctor Larkmere"; "la doctora Larkmere" where the gender is known. */
  name(this: void, name: string, gender?: "female" | "male"): string;
  /** The words of a record, translated if they are common. */
  record(this: void, text: string): string;
  /** The offer to connect the caller with the office, or what can be done while no one is there. A sentence. */
  offerOffice: string;
  /** As `offerOffice`, where the caller cannot be helped otherwise. */
  handOverSentence: string;
};
