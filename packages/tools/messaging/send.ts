import type { MessageChannel } from "@vitaline/contract";
import { AppError, type ErrorCode, isAppError } from "@vitaline/core";
import { normalizeContact, isChannelEnabled, messageDetail, optIn, optOut, sendMessage, type SendResult } from "@vitaline/messages";
import { keys } from "@vitaline/store";
import { isHeldAfterChange } from "../patient/contact-changes.ts";
import { patientIdOf } from "../patient/chart.ts";
import type { RunResult, Run } from "../sdk/run.ts";
import { findVisit } from "./appointment-visit.ts";
import { type Input, type Output, outputFor, purposeOf, isAboutVisit } from "./schema.ts";
import { textLanguage } from "../patient/patient-language.ts";
import { contactPointsFor } from "../patient/contact-fields.ts";

export async function send(run: Run, channel: MessageChannel, input: Input): Promise<RunResult<Output>> {
  const no = (result: Output["result"], code: ErrorCode, more: Partial<Output> = {}): RunResult<Output> => ({
    output: { ...outputFor(channel, result), ...more },
    code,
    patientId: patientIdOf(run),
  });
  if (input.action === "opt_out" || input.action === "opt_in") return changeOptOut(run, channel, input);
  const { policies } = run.tenant;
  if (input.message && !policies?.messageFreeText) return no("own_words", "not_doable");
  if (!isChannelEnabled(run.tenant, channel)) {
    const other = channel === "sms" ? "email" : "sms";
    return no("switched_off", "not_doable", isChannelEnabled(run.tenant, other) ? { instead: other } : {});
  }
  const to = await contactFor(run, channel, input.to, policies?.messageAnyContact ?? false);
  const who = { ctx: run.ctx, providerId: run.ehr.providerId, patientId: patientIdOf(run) };
  if (await isHeldAfterChange(who, to)) return no("just_changed", "not_doable", outputFor(channel, "just_changed", to));
  const told = isAboutVisit(input) ? await findVisit(run, input.appointmentId) : undefined;
  if (isAboutVisit(input) && !told) return no("no_appointment", "not_found");
  const { ctx, call, tenant, executionKey: key, signal, providerId = "" } = run;
  const request = {
    channel,
    purpose: purposeOf(input),
    to,
    language: await textLanguage(run),
    ...(input.message ? { message: input.message } : {}),
    ...(told ? { visit: told.visit } : {}),
  };
  const about = { providerId, patientId: patientIdOf(run), ...(told ? { appointmentId: told.id } : {}) };
  const { officeId, callKey, isTest } = call;
  const sent = await sendMessage(ctx, { key, tenant, officeId, callKey, request, about, isTest, signal });
  if (sent.already) return { output: outputFor(channel, "already", to), patientId: patientIdOf(run), isReplay: true };
  const { sendAt, timeZone } = sent;
  return {
    output: { ...outputFor(channel, resultOf(sent), to), ...(sendAt ? { sendAt, timeZone } : {}) },
    ...(sent.code ? { code: sent.code } : {}),
    patientId: patientIdOf(run),
    ...(isTest ? {} : { detail: messageDetail(sent) }),
  };
}

const resultOf = ({ status, code, why }: SendResult): Output["result"] => why ?? (code === "too_many_requests" ? "too_many" : status);

/** The spoken contact if it is on file or `mayBeAny`; else the first on file. AppError `contact_not_on_file`. */
async function contactFor(run: Run, channel: MessageChannel, said: string | undefined, mayBeAny: boolean): Promise<string> {
  const known = contactPointsFor(await run.chart(), channel, run.ctx.clock());
  const wanted = said === undefined ? known[0] : normalizeContact(channel, said);
  if (!wanted || !(known.includes(wanted) || mayBeAny)) throw new AppError("contact_not_on_file", "The contact is not on file.");
  return wanted;
}

export async function mayStillSend(run: Run, channel: MessageChannel, { to: said }: Input): Promise<boolean> {
  const to = await contactFor(run, channel, said, run.tenant.policies?.messageAnyContact ?? false).catch((error: unknown) => {
    if (isAppError(error, "contact_not_on_file")) return undefined;
    throw error;
  });
  return to !== undefined && (await run.ctx.store.get(keys.optOut(to))) === undefined;
}

/** Callers may opt in only their own contacts, and cannot undo a bounce or complaint. */
async function changeOptOut(run: Run, channel: MessageChannel, { action, to: said }: Input): Promise<RunResult<Output>> {
  const to = await contactFor(run, channel, said, false);
  const about = { patientId: patientIdOf(run), detail: { action } };
  if (action === "opt_out") {
    if (!run.call.isTest) await optOut(run.ctx, channel, to);
    return { ...about, output: outputFor(channel, "stopped", to) };
  }
  const reason = run.call.isTest ? (await run.ctx.store.get(keys.optOut(to)))?.reason : await optIn(run.ctx, to);
  if (reason === "complained") return { ...about, output: outputFor(channel, "opted_out", to), code: "opted_out" };
  if (reason === "bounced") return { ...about, output: outputFor(channel, "bounced", to), code: "not_doable" };
  return { ...about, output: outputFor(channel, "resumed", to) };
}
