import { unseal } from "@vitaline/aws";
import { readCall } from "@vitaline/calls";
import type { ToDoAbout, ToDoDetail } from "@vitaline/contract";
import { notFound, awaitAllThenThrow } from "@vitaline/core";
import { readLead } from "@vitaline/leads";
import { keys, type TenantContext, type ToDoRow } from "@vitaline/store";
import { readTask } from "../tasks.ts";
import { colleaguesOf, peopleOf, personOf, toToDo } from "./view.ts";

/** One item with its patient and note. The audit row is written before the answer is sent. AppError `not_found`. */
export async function readToDo(ctx: TenantContext, id: string): Promise<ToDoDetail> {
  const row = await ctx.store.get<ToDoRow>(keys.toDo(id));
  if (!row) throw notFound();
  const [people, colleagues] = await awaitAllThenThrow([peopleOf(ctx, [row]), colleaguesOf(ctx)]);
  // Read last, as it is audited.
  const { about, version } = await readers[row.source](ctx, row);
  return {
    ...toToDo(row, people, version),
    note: row.sealedNote === undefined ? null : await unseal("phi", ctx.tenantId, row.sealedNote),
    about,
    colleagues: colleagues.map(personOf),
  };
}

type Told = { about: ToDoAbout | null; version: number };

/** Each audits what it reads. */
const readers: Readonly<Record<ToDoRow["source"], (ctx: TenantContext, row: ToDoRow) => Promise<Told>>> = {
  async task(ctx, { sourceId }) {
    const { about, version } = await readTask(ctx, sourceId);
    const { tool: _tool, action: _action, ...told } = about;
    return { about: told, version };
  },
  async lead(ctx, { sourceId }) {
    const { contact, version } = await readLead(ctx, sourceId);
    const { name, phone, email, note } = contact;
    return { about: { name, phone: phone ?? undefined, email: email ?? undefined, said: note ?? undefined }, version };
  },
  async call(ctx, { sourceId }) {
    const { callerNumber, summary, version } = await readCall(ctx, sourceId);
    return { about: { phone: callerNumber ?? undefined, said: summary ?? undefined }, version };
  },
  async connection(ctx, { id, sourceVersion, sealedNote }) {
    if (sealedNote !== undefined)
      await ctx.store.commit([], { category: "patient_access", action: "toDo.read", resourceType: "ToDo", resourceId: id });
    return { about: null, version: sourceVersion };
  },
};
