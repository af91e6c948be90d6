import type { Language, MessageTexts, Office, OfficeCard, OfficeDetail } from "@vitaline/contract";
import { awaitAllThenThrow, inBatches, notFound } from "@vitaline/core";
import { allRows, keys, type OfficeRow, type TenantContext, type TenantRow, type VoiceAgentRow } from "@vitaline/store";
import type { EhrRegistryContext } from "@vitaline/store/scoped.ts";
import { factsOf, messageTextsOf } from "@vitaline/tenants";
import { effectiveFacts, hoursOf, templateOf, defaultLanguageOf, weeklyHoursOf } from "./effective-settings.ts";
import { isOpen } from "./opening-hours.ts";

const readConfigRows = <Row>(ctx: TenantContext, prefix: string): Promise<Row[]> =>
  allRows<Row>(ctx.store, keys.tenantPartitions.config(ctx.tenantId), { prefix });

/** Oldest first. AppError `not_found` for an unknown tenant. */
export async function listOffices(ctx: TenantContext): Promise<Office[]> {
  const [tenant, rows] = await awaitAllThenThrow([ctx.store.get(keys.tenantConfig()), readConfigRows<OfficeRow>(ctx, "OFFICE#")]);
  if (!tenant) throw notFound();
  return rows.map(asOffice);
}

/** The office's own FHIR provider, else the tenant's. */
const providerOf = (tenant: TenantRow, office: OfficeRow): string | undefined => office.fhirProviderId ?? tenant.fhirProviderId;

async function activeProviders({ platform }: Pick<EhrRegistryContext, "platform">, ids: (string | undefined)[]): Promise<Set<string>> {
  const known = [...new Set(ids)].filter((id) => id !== undefined);
  const rows = await inBatches(known, (some) => platform.batchGet(some.map((id) => keys.fhirProvider(id))));
  return new Set(rows.flatMap((row) => (row?.isActive ? [row.id] : [])));
}

const countActive = (agents: VoiceAgentRow[], officeId: string): number =>
  agents.filter((agent) => agent.officeId === officeId && agent.isActive).length;

/** Oldest first. Two reads in parallel, then one per 100 FHIR providers. */
export async function officeCards(ctx: TenantContext & Pick<EhrRegistryContext, "platform">, tenant: TenantRow): Promise<OfficeCard[]> {
  const [offices, agents] = await awaitAllThenThrow([
    readConfigRows<OfficeRow>(ctx, "OFFICE#"),
    readConfigRows<VoiceAgentRow>(ctx, "AGENT#"),
  ]);
  const providers = await activeProviders(
    ctx,
    offices.map((office) => providerOf(tenant, office)),
  );
  return offices.map((office) => ({
    id: office.id,
    name: office.name,
    isActive: office.isActive,
    address: office.address ?? null,
    phoneNumber: office.phone ?? null,
    staffCount: office.staffCount ?? null,
    businessHours: weeklyHoursOf(tenant, office),
    voiceAgentCount: countActive(agents, office.id),
    fhirEnabled: providers.has(providerOf(tenant, office) ?? ""),
    version: office.version ?? 1,
  }));
}

/** With inherited settings. AppError `not_found`. */
export async function officeDetail(ctx: TenantContext & Pick<EhrRegistryContext, "platform">, officeId: string): Promise<OfficeDetail> {
  const [[tenant, office], agents] = await awaitAllThenThrow([
    ctx.store.batchGet([keys.tenantConfig(), keys.office(officeId)]),
    readConfigRows<VoiceAgentRow>(ctx, `AGENT#${officeId}#`),
  ]);
  if (!tenant || !office) throw notFound();
  const provider = providerOf(tenant, office);
  return {
    ...asOffice(office),
    effective: {
      businessHours: weeklyHoursOf(tenant, office),
      isOpen: isOpen(hoursOf(tenant, office), ctx.clock()),
      messageTemplates: effectiveTexts(tenant, office, "en"),
      spanishMessageTemplates: effectiveTexts(tenant, office, "es"),
      language: defaultLanguageOf(tenant, office),
      facts: factsOf(effectiveFacts(tenant, office)),
    },
    voiceAgentCount: countActive(agents, officeId),
    fhirEnabled: (await activeProviders(ctx, [provider])).size === 1,
  };
}

const effectiveTexts = (tenant: TenantRow, office: OfficeRow, language: Language): MessageTexts => ({
  appointmentConfirmation: templateOf(tenant, office, "appointmentConfirmation", language),
  appointmentReminder: templateOf(tenant, office, "appointmentReminder", language),
  followUp: templateOf(tenant, office, "followUp", language),
});

export const asOffice = (row: OfficeRow): Office => ({
  id: row.id,
  name: row.name,
  address: row.address ?? null,
  phone: row.phone ?? null,
  email: row.email ?? null,
  isActive: row.isActive,
  staffCount: row.staffCount ?? null,
  businessHours: row.businessHours ?? null,
  staffRouting: row.staffRouting ?? [],
  messageTemplates: messageTextsOf(row.messageTemplates),
  spanishMessageTemplates: messageTextsOf(row.spanishMessageTemplates),
  language: row.language ?? null,
  facts: factsOf(row.facts),
  fhirProviderId: row.fhirProviderId ?? null,
  createdAt: row.createdAt,
  version: row.version ?? 1,
});
