import Bot from "lucide-react/dist/esm/icons/bot.mjs";
import ChartColumn from "lucide-react/dist/esm/icons/chart-column.mjs";
import Clock from "lucide-react/dist/esm/icons/clock.mjs";
import Database from "lucide-react/dist/esm/icons/database.mjs";
import MessageSquareText from "lucide-react/dist/esm/icons/message-square-text.mjs";
import PhoneForwarded from "lucide-react/dist/esm/icons/phone-forwarded.mjs";
import type { ComponentType, SVGProps } from "react";
import { analyticsAddress, officeAddress, type OfficePart } from "./use-office-place.ts";

export type Feature = {
  title: string;
  text: string;
  /** As on its link. */ action: string;
  icon: ComponentType<SVGProps<SVGSVGElement>>;
  addressOf: (officeId: string) => string;
};

const at = (part: OfficePart) => (officeId: string) => officeAddress(officeId, part);

/** What an office can have of its own. */
export const features: readonly Feature[] = [
  {
    title: "Individual voice agents",
    text: "Agents of your voice platforms that answer for this office alone.",
    action: "Assign voice agents",
    icon: Bot,
    addressOf: at("agents"),
  },
  {
    title: "Location-specific FHIR",
    text: "A record system of its own, where it does not use the organization's.",
    action: "Choose the record system",
    icon: Database,
    addressOf: at("record-system"),
  },
  {
    title: "Business hours override",
    text: "Its own opening hours, with other hours on single days and days it is closed.",
    action: "Set business hours",
    icon: Clock,
    addressOf: at("hours"),
  },
  {
    title: "Staff routing",
    text: "Whom a caller is put through to, by reason and by the hours people are on duty.",
    action: "Set staff routing",
    icon: PhoneForwarded,
    addressOf: at("routing"),
  },
  {
    title: "Local analytics",
    text: "Calls, outcomes and tools of this office alone.",
    action: "See analytics",
    icon: ChartColumn,
    addressOf: analyticsAddress,
  },
  {
    title: "Template overrides",
    text: "Its own words for confirmations, reminders and follow-ups to patients.",
    action: "Write message texts",
    icon: MessageSquareText,
    addressOf: at("messages"),
  },
];
