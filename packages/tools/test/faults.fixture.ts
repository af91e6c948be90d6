import type { ToolName } from "@vitaline/contract";
import { deadlineIn } from "@vitaline/core";
import { openEhr, type Ehr } from "@vitaline/fhir-providers";
import { keys, update, type AuditRow, type CallStateRow, type TenantRow } from "@vitaline/store";
import type { Appointment, Communication, CoverageEligibilityRequest, Patient } from "fhir/r4.js";
import { runTool, type ToolAnswer, type ToolCall, type ToolContext } from "../index.ts";
import { outputOf, type Tools, type Which } from "./tools.fixture.ts";

type Disturb = (type: string) => Promise<void>;

export type Ask = {
  name: ToolName;
  call: ToolCall;
  /** `disturb` runs once, just before the tool's first write to the EHR. */
  send(moment?: { deadlineMs?: number; disturb?: Disturb }): Promise<ToolAnswer>;
  /** The number of resources the request has created in the EHR. */
  made(): Promise<number>;
  auditsIn(rows: readonly AuditRow[]): AuditRow[];
};
type Caller = Awaited<ReturnType<Tools["verified"]>>;
export type Asks = Awaited<ReturnType<typeof startAsks>>;

/** Without vowels, so that no count is a word such as "die". */
const lettersOf = (count: number): string => [...String(count)].map((digit) => "bcdfghjkmn"[Number(digit)]).join("");

/**
 * Requests to all tools for a patient of each tenant, at any sandbox server. Results are counted on the plain server, over the same
 * records; call it while that one is connected.
 */
export async function startAsks(t: Tools) {
  const tenants = await Promise.all(([0, 1] as const).map((which) => t.context(which).store.get<TenantRow>(keys.tenantConfig())));
  const records = (which: Which): Promise<Ehr> =>
    openEhr({ ...t.platform.ctx, deadline: deadlineIn(20_000) }, tenants[which]!, { scopes: [] });
  // Only the plain server returns all slots at once.
  await Promise.all(([0, 1] as const).map((which) => t.unusedSlots(which, 1)));
  const firstHeld: Record<string, (string | undefined)[]> = {};
  let daysAhead = 1;
  let count = 0;
  const dontCount = () => Promise.resolve(0);

  const disturbed = (ctx: ToolContext, disturb: Disturb | undefined): ToolContext => {
    if (!disturb) return ctx;
    let disturbing: Promise<void> | undefined;
    const now = (type: string) => (disturbing ??= disturb(type));
    const watched = <Client extends Ehr | Ehr["schedulingClient"]>(client: Client): Client => ({
      ...client,
      create: async (...args) => (await now(args[0].resourceType), client.create(...args)),
      change: async (...args) => (await now(args[0].resourceType), client.change(...args)),
      operation: async (...args) => {
        if (args[3]?.effect === "write") await now(args[0]);
        return client.operation(...args);
      },
    });
    return {
      ...ctx,
      openEhr: async (...args) => {
        const ehr = await ctx.openEhr(...args);
        return { ...watched(ehr), schedulingClient: watched(ehr.schedulingClient) };
      },
    };
  };

  /** Also its start where the server does not tell it by the id: it is another caller who was offered it. */
  const timeFor = async (which: Which, index: number): Promise<{ slotId?: string | undefined; start?: string }> => {
    const { booking } = await (await t.ehr(which)).behavior();
    if (booking !== "find-and-book") return { slotId: (await t.unusedSlots(which, 1))[0] };
    const caller = await t.verified(which, index);
    for (;;) {
      const date = new Date(Date.now() + 86_400_000 * ++daysAhead).toISOString().slice(0, 10);
      const found = outputOf(await caller.use("scheduleAppointment", { action: "find", date })).slots;
      const first = found.find(({ start }) => start.startsWith(date));
      if (first || daysAhead > 40) return { slotId: first?.slotId, ...(first && { start: first.start }) };
    }
  };

  async function ask(
    which: Which,
    index: number,
    name: ToolName,
    { extra = {}, caller }: { extra?: object; caller?: Caller } = {},
  ): Promise<Ask> {
    const id = t.patients[index]!.id;
    const nth = ++count;
    const known = async () => caller ?? t.verified(which, index, 2);
    const asking = (caller: Pick<ReturnType<Tools["phone"]>, "call" | "callKey">, args: object, made: Ask["made"] = dontCount): Ask => {
      const call = caller.call(name, { ...args, ...extra });
      return {
        ...{ name, call, made },
        send: ({ deadlineMs, disturb } = {}) => {
          return runTool(disturbed(t.context(which, { deadlineMs }), disturb), call);
        },
        auditsIn: (rows) => rows.filter(({ callKey, action }) => callKey === caller.callKey && action === `tool.${name}`),
      };
    };
    switch (name) {
      case "verifyPatientIdentity":
        return asking(t.phone(which), t.claimOf(index));
      case "createPatientFhir": {
        const lastName = `Newcome${lettersOf(nth)}`;
        const said = {
          firstName: `New${lettersOf(nth)}`,
          lastName,
          dateOfBirth: "1988-02-03",
          phoneNumber: "617 555 0177",
          gender: "female",
        };
        const place = { street: "12 Sample Street", city: "Sampleton", state: "MA", zipCode: "02199" };
        const made = async () => (await (await records(which)).search<Patient>("Patient", { family: lastName })).length;
        return asking(t.phone(which), { ...said, ...place }, made);
      }
      case "updatePatientFhir": {
        const versionOf = async () => Number((await (await records(which)).read<Patient>("Patient", id)).meta?.versionId);
        const before = await versionOf();
        await t.forgetContactChanges(which, id);
        // Not a contact that messages go to: these wait after a change.
        const changed = { phoneNumber: `+1617557${1000 + nth}`, phoneType: "work" };
        return asking(await known(), changed, async () => (await versionOf()) - before);
      }
      case "scheduleAppointment": {
        const held = async () =>
          (await (await records(which)).search<Appointment>("Appointment", { patient: `Patient/${id}` }, { maxResources: 1000 })).filter(
            ({ status }) => status === "booked" || status === "proposed",
          );
        // A patient may hold few appointments, so those of earlier requests are cancelled.
        const theirs = (firstHeld[`${which} ${id}`] ??= (await held()).map((one) => one.id));
        for (const one of await held())
          if (!theirs.includes(one.id)) await (await records(which)).change(one, { ...one, status: "cancelled" });
        const before = theirs.length;
        return asking(await known(), { action: "book", ...(await timeFor(which, index)) }, async () => (await held()).length - before);
      }
      case "sendCommunicationFhir": {
        const held = async () =>
          (await (await records(which)).search<Communication>("Communication", { subject: `Patient/${id}` }, { maxResources: 1000 }))
            .length;
        const before = await held();
        const message = `Please call me back about matter ${lettersOf(nth)}.`;
        return asking(await known(), { category: "callback_request", message }, async () => (await held()) - before);
      }
      case "verifyInsurance": {
        const insurance = asking(await known(), {});
        const made = async () => {
          const requestKey = await t.requestKey(which, insurance.call);
          const asked = await (
            await records(which)
          ).search<CoverageEligibilityRequest>("CoverageEligibilityRequest", { patient: `Patient/${id}` }, { maxResources: 1000 });
          return asked.filter(({ identifier = [] }) => identifier.some(({ value }) => value === requestKey)).length;
        };
        return { ...insurance, made };
      }
      case "sendSMS":
      case "sendEmail":
        return asking(await known(), { purpose: "follow_up" });
      case "logRoutingEvent":
        return asking(t.phone(which), { reason: "billing", outcome: "callback" });
      case "getOfficeInfo":
        return asking(t.phone(which), { topic: "hours" });
      case "getFhirProviders":
        return asking(t.phone(which), { name: "Larkmere" });
      case "getPatientInfo":
      case "getPatientClinicalData":
      case "getMedicationHistoryFhir":
        return asking(await known(), {});
    }
  }

  return {
    ask,
    records,
    carryOver: (which: Which, providerId: string, { call }: Ask) =>
      t
        .context(which)
        .store.writeUnaudited(update<CallStateRow>(keys.callState(call.callKey), { set: { providerId }, setOnce: { level: 0 } })),
  };
}
