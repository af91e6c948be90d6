import * as z from "zod/mini";
import { changedLine, Id, Instant, PageQuery } from "../http/fields.ts";
import { flag, optionally } from "../http/query.ts";
import { routes } from "../http/route.ts";
import { TaskAbout, TaskFinding, TaskKind } from "./tasks.ts";

/** A task of a call, a lead, a call that needs follow-up (`unanswered_call`, `unresolved_call`), or trouble with connections. */
export const ToDoKind = z.enum([...TaskKind.options, "lead", "unanswered_call", "unresolved_call", "connection"]);
export type ToDoKind = z.infer<typeof ToDoKind>;

export const ToDoGroup = z.enum(["emergencies", "requests", "bookings", "callbacks", "calls", "connections"]);
export type ToDoGroup = z.infer<typeof ToDoGroup>;

export const toDoGroups: Readonly<Record<ToDoKind, ToDoGroup>> = {
  emergency: "emergencies",
  message: "requests",
  registration: "requests",
  identity_attempts: "requests",
  proxy_on_hold: "requests",
  visit_request: "bookings",
  unconfirmed_action: "bookings",
  interpreter: "bookings",
  lead: "callbacks",
  unanswered_call: "calls",
  unresolved_call: "calls",
  connection: "connections",
};

const Person = z.object({ id: Id, name: z.string() });

/** An item of the clinic's list of work, without its patient. */
export const ToDo = z.object({
  id: Id,
  kind: ToDoKind,
  /**
   * What it is about, as a code without patient data: what a caller asked for ("refill_request"), a lead's reason, the kind of an
   * emergency, or a connection's trouble: one that does not work ("record_system", "voice_platform", "webhook"), none where one is
   * needed ("no_record_system"), or that at least half of all tool runs of yesterday and today failed ("tools_fail").
   */
  topic: z.nullable(z.string()),
  createdAt: Instant,
  dueAt: Instant,
  doneAt: z.nullable(Instant),
  /** null also where it was done elsewhere, or by itself. */
  doneBy: z.nullable(Person),
  owner: z.nullable(Person),
  hasNote: z.boolean(),
  callId: z.nullable(z.string()),
  officeId: z.nullable(Id),
  finding: z.nullable(TaskFinding),
  /** Changes with every change of the item, also one that was made in the call log or among the leads. */
  version: z.number(),
});
export type ToDo = z.infer<typeof ToDo>;

/** Patient data. `said` also: a lead's note, or the summary of a call. */
export const ToDoAbout = z.omit(TaskAbout, { tool: true, action: true });
export type ToDoAbout = z.infer<typeof ToDoAbout>;

/** `about` is null for a connection. `colleagues`: who it can be given to. */
export const ToDoDetail = z.extend(ToDo, { note: z.nullable(z.string()), about: z.nullable(ToDoAbout), colleagues: z.array(Person) });
export type ToDoDetail = z.infer<typeof ToDoDetail>;

/** At most a hundred are counted. */
export const ToDoCount = z.object({ open: z.number(), emergencies: z.number(), hasMore: z.boolean() });
export type ToDoCount = z.infer<typeof ToDoCount>;

/** Absent keeps the value; null gives it to no one, or removes the note. `dueAt`: at most a year from now, and not before its creation. */
export const ToDoChange = z.strictObject({
  done: z.optional(z.boolean()),
  dueAt: z.optional(Instant),
  ownerId: z.optional(z.nullable(Id)),
  note: changedLine(500),
});
export type ToDoChange = z.output<typeof ToDoChange>;

/** `mine`: those of the user who asks. `unassigned`: those without an owner who may open the list. `officeId`: of that office, and of none. */
export const ToDoFilter = z.object({ group: optionally(ToDoGroup), mine: flag, unassigned: flag, officeId: optionally(Id) });
export type ToDoFilter = z.output<typeof ToDoFilter>;

const ToDoPath = z.object({ toDoId: Id });

export const toDo = routes({
  listToDo: {
    method: "GET",
    path: "/api/tenant/to-do",
    auth: "tenant_admin",
    summary: "What is to be done, without patients: emergencies first, then by due time; done items newest first. The next page is in Link",
    query: z.extend(PageQuery, { ...ToDoFilter.shape, done: flag }),
    response: z.array(ToDo),
  },
  countToDo: {
    method: "GET",
    path: "/api/tenant/to-do/count",
    auth: "tenant_admin",
    summary: "How much is to be done, at most a hundred",
    response: ToDoCount,
  },
  readToDo: {
    method: "GET",
    path: "/api/tenant/to-do/{toDoId}",
    auth: "tenant_admin",
    summary: "One item, with its patient and note; audited",
    noStore: true,
    params: ToDoPath,
    response: ToDoDetail,
  },
  changeToDo: {
    method: "PUT",
    path: "/api/tenant/to-do/{toDoId}",
    auth: "tenant_admin",
    summary:
      "Mark an item as done or open, give it to someone, change its due time, or note something. A call's follow-up and a lead's status change with it",
    params: ToDoPath,
    body: ToDoChange,
    response: ToDo,
  },
});
