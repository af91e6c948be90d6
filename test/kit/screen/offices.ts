import {
  tenant,
  tenantOffices,
  type BusinessHours,
  type HoursChange,
  type Office,
  type OfficeCard,
  type OfficeChange,
  type OfficeDetail,
  type OfficeFacts,
  type OfficeFactsChange,
} from "@vitaline/contract";
import { demo } from "./demo-answers.ts";
import { refusal, type FakeApi } from "./fake-api.ts";

const inherited = demo("tenant_admin", tenant.tenantSettings);

export const demoOffice = (at: number): OfficeDetail => {
  const { id = "" } = demo("tenant_admin", tenantOffices.officeCards)[at] ?? {};
  return demo("tenant_admin", tenantOffices.getOwnOffice, { officeId: id });
};

const cardOf = (office: OfficeDetail): OfficeCard => {
  const { id, name, isActive, address, phone, staffCount, voiceAgentCount, fhirEnabled, version, effective } = office;
  return {
    id,
    name,
    isActive,
    address,
    phoneNumber: phone,
    staffCount,
    businessHours: effective.businessHours,
    voiceAgentCount,
    fhirEnabled,
    version,
  };
};

const officeOf = ({ effective: _effective, voiceAgentCount: _count, fhirEnabled: _enabled, ...office }: OfficeDetail): Office => office;

const hoursOf = ({ breaks, days, ...hours }: HoursChange): BusinessHours => ({
  ...inherited.contactPreferences.businessHours,
  ...hours,
  ...(breaks && { breaks }),
  ...(days && { days }),
});

const noFacts: OfficeFacts = {
  ...{ directions: null, parking: null, telehealth: null, afterHours: null },
  ...{ insurance: [], selfPayPrices: [], whatToBring: [], languages: [], holidays: [], questions: [] },
};
const definedOf = (facts: OfficeFactsChange): Partial<OfficeFacts> =>
  Object.fromEntries(Object.entries(facts).filter(([, fact]) => fact !== undefined && fact !== ""));

export function changed(office: OfficeDetail, change: Partial<OfficeChange>): OfficeDetail {
  const { businessHours, staffRouting, messageTemplates, spanishMessageTemplates, facts, ...plain } = change;
  const own = facts === undefined ? office.facts : { ...noFacts, ...definedOf(facts ?? {}) };
  const hours = businessHours === undefined ? office.businessHours : businessHours && hoursOf(businessHours);
  const routing = staffRouting?.map(({ hours: own, ...one }) => ({ ...one, ...(own && { hours: hoursOf(own) }) }));
  return {
    ...office,
    ...plain,
    businessHours: hours,
    staffRouting: staffRouting === undefined ? office.staffRouting : (routing ?? []),
    messageTemplates: { ...office.messageTemplates, ...messageTemplates },
    spanishMessageTemplates: { ...office.spanishMessageTemplates, ...spanishMessageTemplates },
    facts: own,
    effective: { ...office.effective, businessHours: hours ?? inherited.contactPreferences.businessHours },
    version: office.version + 1,
  };
}

export const stale = () => refusal(409, { error: "This has been changed in the meantime.", code: "stale_version" });
const nameTaken = () =>
  refusal(409, { error: "Another office has this name.", code: "duplicate", fields: { name: "Another office has this name." } });

export function keepOffices(api: FakeApi, ...kept: OfficeDetail[]) {
  const find = (id: string) => kept.find((office) => office.id === id);
  const change = (id: string, to: Partial<OfficeDetail | OfficeChange>): OfficeDetail => {
    const at = kept.findIndex((office) => office.id === id);
    const next = changed(kept[at] as OfficeDetail, to as OfficeChange);
    kept[at] = next;
    return next;
  };
  api.on(tenantOffices.officeCards, () => kept.map(cardOf));
  api.on(
    tenantOffices.getOwnOffice,
    ({ params }) => find(params.officeId) ?? refusal(404, { error: "There is no such office.", code: "not_found" }),
  );
  api.on(tenantOffices.createOwnOffice, ({ body }) => {
    const { address = null, phone = null, email = null, staffCount = null } = body;
    const begun = { ...demoOffice(0), id: "01m83bhmem5v9bkfe36d66new0", staffRouting: [], voiceAgentCount: 0, version: 0 };
    const made = changed(begun, { ...body, address, phone, email, staffCount });
    kept.push(made);
    return officeOf(made);
  });
  api.on(tenantOffices.updateOwnOffice, ({ params, body, ifMatch }) => {
    if (find(params.officeId)?.version !== ifMatch) return stale();
    if (kept.some(({ id, name }) => id !== params.officeId && name === body.name)) return nameTaken();
    return officeOf(change(params.officeId, body));
  });
  return { change, now: (id: string): OfficeDetail => find(id) ?? demoOffice(0) };
}
