import * as z from "zod/mini";
import { Id, Instant, PageQuery } from "../http/fields.ts";
import { optionally } from "../http/query.ts";
import { routes } from "../http/route.ts";
import { ContactForm } from "./site.ts";

/** What only the platform's operators can do for an organization. */
export const OperatorRequestKind = z.enum(["record_system", "voice_provider", "api_keys", "plan", "policies", "other"]);
export type OperatorRequestKind = z.infer<typeof OperatorRequestKind>;
export const requestKindNames: Readonly<Record<OperatorRequestKind, string>> = {
  record_system: "Record system",
  voice_provider: "Voice provider",
  api_keys: "API keys",
  plan: "Plan",
  policies: "Rules and retention",
  other: "Something else",
};

export const OperatorRequestStatus = z.enum(["open", "in_progress", "done", "declined"]);
export type OperatorRequestStatus = z.infer<typeof OperatorRequestStatus>;

/** `status`: of the request from then on. */
const Answer = z.object({
  at: Instant,
  from: z.enum(["platform", "organization"]),
  status: OperatorRequestStatus,
  note: z.nullable(z.string()),
});

/** `answers`: the operators' answers and the organization's replies, oldest first. `by` is the colleague who replied; operators are not named. */
export const TenantRequest = z.object({
  id: Id,
  createdAt: Instant,
  kind: OperatorRequestKind,
  status: OperatorRequestStatus,
  message: z.string(),
  requestedBy: z.string(),
  answers: z.array(z.extend(Answer, { by: z.nullable(z.string()) })),
  version: z.number(),
});
export type TenantRequest = z.infer<typeof TenantRequest>;

/** As the operators see it: `by` is the operator or who replied. */
export const OperatorRequest = z.extend(TenantRequest, {
  tenantId: Id,
  tenantName: z.string(),
  email: z.string(),
  answers: z.array(z.extend(Answer, { by: z.string() })),
});
export type OperatorRequest = z.infer<typeof OperatorRequest>;

export const NewRequest = z.strictObject({ kind: OperatorRequestKind, message: ContactForm.shape.message });
export type NewRequest = z.output<typeof NewRequest>;

const maxNote = 2000;
const noteTooLong = `Must be at most ${maxNote} characters`;
export const RequestAnswer = z
  .strictObject({
    status: OperatorRequestStatus,
    note: z.optional(
      z.pipe(
        z.nullable(z.union([ContactForm.shape.message.check(z.maxLength(maxNote, noteTooLong)), z.literal("")])),
        z.transform((text) => text || undefined),
      ),
    ),
  })
  .check(
    z.refine(({ status, note }) => status !== "declined" || note !== undefined, {
      path: ["note"],
      error: "Say why it is declined",
    }),
  );
export type RequestAnswer = z.output<typeof RequestAnswer>;

export const RequestReply = z.strictObject({ message: ContactForm.shape.message.check(z.maxLength(maxNote, noteTooLong)) });
export type RequestReply = z.output<typeof RequestReply>;

export const tenantRequests = routes({
  listRequests: {
    method: "GET",
    path: "/api/tenant/requests",
    auth: "tenant_admin",
    summary: "What the tenant asked the platform for, newest first, with its status and answers; the next page is in Link",
    noStore: true,
    query: z.extend(PageQuery, { kind: optionally(OperatorRequestKind) }),
    response: z.array(TenantRequest),
  },
  createRequest: {
    method: "POST",
    path: "/api/tenant/requests",
    auth: "tenant_admin",
    summary: "Ask the platform for something; at most five requests and replies an hour",
    status: 201,
    noStore: true,
    body: NewRequest,
    response: TenantRequest,
  },
  replyToRequest: {
    method: "POST",
    path: "/api/tenant/requests/{requestId}/replies",
    auth: "tenant_admin",
    summary: "Reply to the platform about a request, which is open again then",
    noStore: true,
    params: z.object({ requestId: Id }),
    body: RequestReply,
    response: TenantRequest,
  },
});

export const operatorRequests = routes({
  listOperatorRequests: {
    method: "GET",
    path: "/api/admin/requests",
    auth: "system_admin",
    summary: "What tenants ask for: open requests, or closed ones with `closed=true`, newest first; audited",
    noStore: true,
    query: z.extend(PageQuery, { closed: z.optional(z.enum(["true", "false"])) }),
    response: z.array(OperatorRequest),
  },
  answerRequest: {
    method: "PUT",
    path: "/api/admin/tenants/{tenantId}/requests/{requestId}",
    auth: "system_admin",
    summary: "Change a request's status, with a note to those who asked; they get a mail",
    noStore: true,
    params: z.object({ tenantId: Id, requestId: Id }),
    body: RequestAnswer,
    response: OperatorRequest,
  },
});
