import * as z from "zod/mini";
import { Id, Instant, PageQuery } from "../http/fields.ts";
import { optionally } from "../http/query.ts";
import { routes } from "../http/route.ts";
import { ContactForm } from "./site.ts";

/** What only the platform's operators can do for an organization. */
export const OperatorRequestKind = z.enum(["record_system", "voice_provider", "api_keys", "plan", "policies", "other"]);
export type OperatorRequestKind = z.infer<typeof OperatorRequestKind>;

export const OperatorRequestStatus = z.enum(["open", "in_progress", "done", "declined"]);
export type OperatorRequestStatus = z.infer<typeof OperatorRequestStatus>;

const Answer = z.object({ at: Instant, status: OperatorRequestStatus, note: z.nullable(z.string()) });

/** `answers`: each change of its status, oldest first. */
export const TenantRequest = z.object({
  id: Id,
  createdAt: Instant,
  kind: OperatorRequestKind,
  status: OperatorRequestStatus,
  message: z.string(),
  requestedBy: z.string(),
  answers: z.array(Answer),
  version: z.number(),
});
export type TenantRequest = z.infer<typeof TenantRequest>;

/** As the operators see it: `by` is the operator. */
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
export const RequestAnswer = z
  .strictObject({
    status: OperatorRequestStatus,
    note: z.optional(
      z.pipe(
        z.nullable(
          z.union([ContactForm.shape.message.check(z.maxLength(maxNote, `Must be at most ${maxNote} characters`)), z.literal("")]),
        ),
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
    summary: "Ask the platform for something; at most five requests an hour",
    status: 201,
    noStore: true,
    body: NewRequest,
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
