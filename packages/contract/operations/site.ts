import * as z from "zod/mini";
import { Email, Instant, PageQuery, line, optionalLine } from "../http/fields.ts";
import { optionally } from "../http/query.ts";
import { routes } from "../http/route.ts";

export const industries = ["healthcare", "dental", "homeservices", "cleaning", "hvac", "wellness", "other"] as const;
export const Industry = z.enum(industries, "Must be one of the industries of the form");
export type Industry = z.output<typeof Industry>;

const maxMessage = 5000;
/** Multi-line text. Invisible characters are refused except the joiners of scripts and emoji; line ends are normalized. */
const Message = z.string("Is required").check(
  z.overwrite((text) => text.replaceAll("\r\n", "\n").trim()),
  z.minLength(1, "Is required"),
  z.maxLength(maxMessage, `Must be at most ${maxMessage} characters`),
  z.regex(/^(?:[\n\t\u200c\u200d]|[^\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}])*$/u, "Must not contain control or invisible characters"),
);

export const ContactForm = z.strictObject({
  firstName: line(100),
  lastName: line(100),
  email: Email,
  phone: optionalLine(40),
  company: optionalLine(200),
  industry: z.optional(
    z.pipe(
      z.nullable(z.union([Industry, z.literal("")], "Must be one of the industries of the form")),
      z.transform((industry) => industry || undefined),
    ),
  ),
  message: Message,
  /** Honeypot: hidden from people, so a message with it is from a program and is discarded. */
  website: z.optional(z.nullable(z.string().check(z.maxLength(2000)))),
});
export type ContactForm = z.output<typeof ContactForm>;

export const ContactReceived = z.object({ received: z.literal(true) });

export const ContactMessage = z.object({
  id: z.string(),
  at: Instant,
  firstName: z.string(),
  lastName: z.string(),
  email: z.string(),
  phone: z.nullable(z.string()),
  company: z.nullable(z.string()),
  industry: z.nullable(Industry),
  message: z.string(),
  /** When it was mailed to the support address; null: not yet, or no address is set. */
  mailedAt: z.nullable(Instant),
});
export type ContactMessage = z.output<typeof ContactMessage>;

const Month = z.string().check(z.regex(/^\d{4}-(0[1-9]|1[0-2])$/, "Must be a month such as 2026-05"));
export const ContactMessagesQuery = z.strictObject({ ...PageQuery.shape, month: optionally(Month) });

export const PublicConfig = z.object({
  /** Where to book a demo; null: use the contact form. */
  schedulingUrl: z.nullable(z.string()),
  support: z.object({ email: z.nullable(z.string()), phone: z.nullable(z.string()), hours: z.string() }),
  promotion: z.nullable(z.object({ active: z.boolean(), label: z.string(), remaining: z.int() })),
  /** The platform's public origin, without a trailing slash. */
  origin: z.string(),
});
export type PublicConfig = z.output<typeof PublicConfig>;

export const PublicHealth = z.object({ status: z.enum(["ok", "degraded"]), time: Instant });
export type PublicHealth = z.output<typeof PublicHealth>;

/** The last 30 UTC days, oldest first, without days that had no probes. */
const StatusDays = z.array(z.object({ date: z.string(), probes: z.int(), successful: z.int() }));

/**
 * `uptime`: percent, as in SystemHealth. `days`: successful are the probes in which every component worked; a probe that is overdue now
 * counts as failed for each. `incidents`, newest first: the probes of a component failed from one to the other, or for null none took
 * place; without `endedAt` it lasts.
 */
export const StatusHistory = z.object({
  uptime: z.nullable(z.number()),
  days: StatusDays,
  components: z.array(z.object({ name: z.string(), days: StatusDays })),
  incidents: z.array(z.object({ component: z.nullable(z.string()), startedAt: Instant, endedAt: z.nullable(Instant) })),
});
export type StatusHistory = z.output<typeof StatusHistory>;

export const site = routes({
  sendContactMessage: {
    method: "POST",
    path: "/api/contact",
    summary: "Send a message to the platform's operators",
    auth: "public",
    status: 201,
    body: ContactForm,
    response: ContactReceived,
  },
  publicConfig: {
    method: "GET",
    path: "/api/public/config",
    summary: "This installation's public configuration",
    auth: "public",
    response: PublicConfig,
  },
  publicHealth: {
    method: "GET",
    path: "/api/public/health",
    summary: "The platform's public status",
    auth: "public",
    response: PublicHealth,
  },
  statusHistory: {
    method: "GET",
    path: "/api/public/status-history",
    summary: "The platform's checks of the last 30 days, by day and component, and its incidents",
    auth: "public",
    response: StatusHistory,
  },
  openapi: {
    method: "GET",
    path: "/api/openapi.json",
    summary: "This API as OpenAPI 3.1",
    auth: "public",
    response: z.record(z.string(), z.unknown()),
  },
});

export const contactMessages = routes({
  contactMessages: {
    method: "GET",
    path: "/api/admin/contact-messages",
    summary: "Visitors' messages of a month, newest first; this month by default",
    auth: "system_admin",
    noStore: true,
    query: ContactMessagesQuery,
    response: z.array(ContactMessage),
  },
});
