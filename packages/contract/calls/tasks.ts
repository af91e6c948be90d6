import * as z from "zod/mini";
import { Id, Instant, PageQuery } from "../http/fields.ts";
import { flag } from "../http/query.ts";
import { routes } from "../http/route.ts";

/**
 * A promise to a caller: complete a registration, confirm a requested visit, review a message, or check an action with an
 * unknown outcome. `identity_attempts`: repeated failed attempts to be verified as one patient. `emergency`: a caller told of an
 * emergency and was told whom to call: 911, 988 or Poison Control. `proxy_on_hold`: someone called for a patient whose custody or legal
 * authority is in dispute.
 * `interpreter`: a visit booked by phone needs one, and the record system takes no note with it.
 */
export const TaskKind = z.enum([
  "registration",
  "visit_request",
  "message",
  "unconfirmed_action",
  "identity_attempts",
  "emergency",
  "proxy_on_hold",
  "interpreter",
]);
export type TaskKind = z.infer<typeof TaskKind>;

/** For an `unconfirmed_action`: what the EHR showed later. */
export const TaskFinding = z.enum(["happened", "did_not_happen"]);
export type TaskFinding = z.infer<typeof TaskFinding>;

export const Task = z.object({
  id: Id,
  createdAt: Instant,
  kind: TaskKind,
  callId: z.nullable(z.string()),
  officeId: z.nullable(Id),
  dueAt: Instant,
  finding: z.nullable(TaskFinding),
  closedAt: z.nullable(Instant),
  version: z.number(),
});
export type Task = z.infer<typeof Task>;

/** Patient data. */
export const TaskAbout = z.object({
  tool: z.string(),
  /** The EHR's ids of patient and appointment, and our id of the connection. */
  patientId: z.optional(z.string()),
  appointmentId: z.optional(z.string()),
  fhirProviderId: z.optional(z.string()),
  /** The tool's name for it: "book", "refill_request"; the kind of an emergency: "medical", "self_harm", "poisoning". */
  action: z.optional(z.string()),
  urgent: z.optional(z.boolean()),
  start: z.optional(z.string()),
  /** Of the patient of a message or a visit, as the record system had it. Else, as what follows, said by a caller who is no patient yet. */
  name: z.optional(z.string()),
  dateOfBirth: z.optional(z.string()),
  /** Also the number of an emergency call. */
  phone: z.optional(z.string()),
  email: z.optional(z.string()),
  /** Of a message: what is to be refilled, and the request as the voice agent took it down. */
  medication: z.optional(z.string()),
  said: z.optional(z.string()),
  /** The language to interpret for the patient. */
  interpreter: z.optional(z.string()),
});
export type TaskAbout = z.infer<typeof TaskAbout>;

export const TaskDetail = z.extend(Task, { about: TaskAbout });
export type TaskDetail = z.infer<typeof TaskDetail>;

const TaskPath = z.object({ taskId: Id });

export const tasks = routes({
  listTasks: {
    method: "GET",
    path: "/api/tenant/tasks",
    auth: "tenant_admin",
    summary: "Promises to callers, newest first, without patients; the next page is in Link",
    query: z.extend(PageQuery, { closed: flag }),
    response: z.array(Task),
  },
  readTask: {
    method: "GET",
    path: "/api/tenant/tasks/{taskId}",
    auth: "tenant_admin",
    summary: "One task, with its patient; audited",
    noStore: true,
    params: TaskPath,
    response: TaskDetail,
  },
  closeTask: {
    method: "PUT",
    path: "/api/tenant/tasks/{taskId}",
    auth: "tenant_admin",
    summary: "Close a task, or open it again",
    params: TaskPath,
    body: z.strictObject({ closed: z.boolean() }),
    response: Task,
  },
});
