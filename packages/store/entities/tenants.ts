import type {
  BusinessHours,
  ContactPreferences,
  Language,
  MessageTemplates,
  MinorsPolicy,
  OfficeFactsChange,
  OrganizationType,
  Retention,
  StaffDestination,
} from "@vitaline/contract";
import { sha256In } from "@vitaline/core";
import { partitions, tenantPartitions } from "./partitions.ts";
import { sharedEntity, tenantEntity, keyInScope, type UniqueNameRow } from "./entity.ts";

export type TenantRow = {
  id: string;
  name: string;
  organizationType: OrganizationType;
  contactEmail: string;
  contactPhone?: string;
  address?: string;
  description?: string;
  isActive: boolean;
  /** Incremented to end all of the tenant's sessions at once. */
  epoch: number;
  apiKeyId: string;
  /** The previous key, while both are accepted. */
  retiringApiKeyId?: string;
  fhirProviderId?: string;
  /** The voice provider of new agents and unassigned numbers. */
  defaultVoiceProviderId?: string;
  /** The number of voice providers; absent while not yet counted. */
  voiceProviderCount?: number;
  /** Only grows, so that a provider deleted and another added do not look like no change. */
  voiceProvidersDeleted?: number;
  /** IANA time zone of the business hours; voice agents use it when the called office has no hours of its own. */
  timeZone: string;
  contactPreferences?: ContactPreferences;
  policies?: {
    requireTotp?: boolean;
    ownFhirProviders?: boolean;
    ownVoiceProviders?: boolean;
    messageAnyContact?: boolean;
    messageFreeText?: boolean;
    textCountries?: string[];
    toolLevels?: Partial<Record<string, 1 | 2>>;
    toolRunsPerMinute?: number;
    minors?: Partial<MinorsPolicy>;
    retention?: Partial<Retention>;
  };
  plan?: { name: string; monthlyPrice: number; bundledMinutes: number };
  /** US dollars; screens show money only when both are set. */
  hourlyWage?: number;
  averageVisitValue?: number;
  messageTemplates?: MessageTemplates;
  spanishMessageTemplates?: MessageTemplates;
  /** Of callers and texts whose language is not known, where the office names none; absent: English. */
  language?: Language;
  /** Of all offices, except for what an office sets for itself. */
  facts?: OfficeFactsChange;
  createdAt: string;
  version?: number;
  /** The erasure in progress; the tenant is read-only then. */
  erasureId?: string;
};
export const tenantConfig = sharedEntity(
  "accounts",
  "ehr",
)<TenantRow, []>({
  entity: "tenant",
  writeKind: "audited",
  lifetime: "permanent",
  primaryKey: (tenantId) => ({ pk: tenantPartitions.config(tenantId), sk: "TENANT" }),
});

export type TenantDirectoryRow = Omit<
  TenantRow,
  | "epoch"
  | "apiKeyId"
  | "retiringApiKeyId"
  | "voiceProviderCount"
  | "voiceProvidersDeleted"
  | "timeZone"
  | "contactPreferences"
  | "messageTemplates"
  | "spanishMessageTemplates"
  | "language"
  | "facts"
  | "erasureId"
>;
export const tenantDirectory = sharedEntity("ehr")<TenantDirectoryRow, []>({
  entity: "tenantDirectory",
  writeKind: "audited",
  lifetime: "permanent",
  primaryKey: (tenantId) => ({ pk: partitions.tenantDirectory, sk: tenantId }),
});
/** For lists over all tenants. */
export const listedTenant = (tenantId: string) => keyInScope("directory", tenantDirectory(), tenantId);

/** Absent settings are inherited from the tenant. */
export type OfficeRow = {
  id: string;
  name: string;
  address?: string;
  phone?: string;
  email?: string;
  isActive: boolean;
  staffCount?: number;
  businessHours?: BusinessHours;
  /** In dialing order. */
  staffRouting?: StaffDestination[];
  /** Of callers and texts whose language is not known; absent: the tenant's. */
  language?: Language;
  messageTemplates?: MessageTemplates;
  spanishMessageTemplates?: MessageTemplates;
  facts?: OfficeFactsChange;
  /** The office's own EHR; absent: the tenant's. */
  fhirProviderId?: string;
  createdAt: string;
  version?: number;
};
export const office = sharedEntity("ehr")<OfficeRow, [officeId: string]>({
  entity: "office",
  writeKind: "audited",
  lifetime: "permanent",
  primaryKey: (tenantId, officeId) => ({ pk: tenantPartitions.config(tenantId), sk: `OFFICE#${officeId}` }),
});
export const officeDirectory = sharedEntity("ehr")<OfficeRow, [officeId: string]>({
  entity: "officeDirectory",
  writeKind: "audited",
  lifetime: "permanent",
  primaryKey: (tenantId, officeId) => ({ pk: partitions.tenantDirectory, sk: `${tenantId}#OFFICE#${officeId}` }),
});

/** Names that look the same are equal: case, spaces and Unicode form do not count. */
const normalizeName = (name: string): string => name.normalize("NFKC").replaceAll(/\s+/g, " ").trim().toLowerCase();
/** Reserves an office's name within its tenant. */
export const officeName = tenantEntity<UniqueNameRow, [name: string]>({
  entity: "officeName",
  writeKind: "audited",
  lifetime: "permanent",
  primaryKey: (tenantId, name) => ({
    pk: tenantPartitions.config(tenantId),
    sk: `OFFICENAME#${sha256In("office-name", normalizeName(name))}`,
  }),
});

/** Raised by each change of an office's number or state, in its own transaction. */
export type OfficeNumbersVersionRow = { version: number };
export const officeNumbersVersion = tenantEntity<OfficeNumbersVersionRow, []>({
  entity: "officeNumbersVersion",
  writeKind: "bookkeeping",
  lifetime: "permanent",
  primaryKey: (tenantId) => ({ pk: tenantPartitions.officeNumbers(tenantId), sk: "~VERSION" }),
});
/** The active offices with a phone number, as they were found at a version of the tenant's numbers; outdated at any other. */
export type OfficesOfNumberRow = { version: number; officeIds: string[]; expiresAt: number };
/** `number`: E.164. */
export const officesOfNumber = tenantEntity<OfficesOfNumberRow, [number: string]>({
  entity: "officesOfNumber",
  writeKind: "bookkeeping",
  lifetime: "expires",
  primaryKey: (tenantId, number) => ({ pk: tenantPartitions.officeNumbers(tenantId), sk: sha256In("office-number", number) }),
});

/** The tenant of an office or voice provider, by the id alone. */
export type RefRow = { tenantId: string; kind: "office" | "voiceProvider" };
export const ref = tenantEntity<RefRow, [id: string]>({
  entity: "ref",
  writeKind: "audited",
  lifetime: "permanent",
  isOutsideTenantPartition: true,
  primaryKey: (_tenantId, id) => ({ pk: partitions.ref(id), sk: "REF" }),
});
export const refOwner = (id: string) => keyInScope("directory", ref(id));
