import type { Platform } from "../../packages/local-cloud/platform.ts";
import type { DemoTenant } from "../kit/tenant.ts";
import { type Call, callers, type Clinics, connect, erase, makeCalls } from "./clinics.ts";

type Before = {
  early: Call[];
  /** EHR connections with a secret in Secrets Manager. */
  connections: string[];
  appointments: Set<string>;
};
/** What the clinics did before and after the point in time. */
export type Written = Before & {
  clinics: [one: DemoTenant, two: DemoTenant, three: DemoTenant];
  late: Call[];
  /** Appointments that only the record system will know. */
  unknown: string[];
};

const [erasedByOne, erasedByTwo] = [0, 1];
const patientOf = (caller: number) => ({ patientId: callers[caller]!.id });

/** The first clinic erases one patient and the second another; the third is erased whole. */
export const isErased = ({ tenant, patientId }: Call, [one, two, three]: Written["clinics"]): boolean =>
  tenant === three ||
  (tenant === one && patientId === patientOf(erasedByOne).patientId) ||
  (tenant === two && patientId === patientOf(erasedByTwo).patientId);

export const erasedPatients = ([one, two]: Written["clinics"]): { tenant: DemoTenant; patientId: string }[] => [
  { tenant: one, ...patientOf(erasedByOne) },
  { tenant: two, ...patientOf(erasedByTwo) },
];

const inTurn = (tenants: readonly DemoTenant[], count: number, first: number, books: (at: number) => boolean) =>
  Array.from({ length: count }, (_, at) => ({ tenant: tenants[at % tenants.length]!, caller: first + at, books: books(at) }));

export async function writeBefore(platform: Platform, clinics: Clinics): Promise<Before> {
  const [one, two] = clinics.tenants as Written["clinics"];
  const connections = [await connect(clinics, platform, "Second EHR"), await connect(clinics, platform, "Third EHR")];
  const early = await makeCalls(clinics, [
    ...[erasedByOne, erasedByTwo].flatMap((caller) => [one, two].map((tenant) => ({ tenant, caller, books: tenant === one }))),
    ...inTurn(clinics.tenants, 16, 2, (at) => at % 2 === 0),
  ]);
  await erase(clinics, one, patientOf(erasedByOne), "done");
  await platform.cloud.drained();
  return { early, connections, appointments: await appointmentsIn(platform) };
}

export async function writeAfter(platform: Platform, clinics: Clinics, before: Before): Promise<Written> {
  const [one, two, three] = clinics.tenants as Written["clinics"];
  const [late] = await Promise.all([
    makeCalls(
      clinics,
      inTurn([one, two], 12, 22, () => true),
    ),
    erase(clinics, two, patientOf(erasedByTwo), "done"),
  ]);
  await erase(clinics, three, "all of it", "begun");
  const unknown = [...(await appointmentsIn(platform))].filter((id) => !before.appointments.has(id));
  return { ...before, clinics: [one, two, three], late, unknown };
}

/** Ids of all appointments that the record system has. */
async function appointmentsIn({ sandbox }: Platform): Promise<Set<string>> {
  type Found = { entry?: { resource: { id: string } }[]; link?: { relation: string; url: string }[] };
  const ids = new Set<string>();
  for (let url: string | undefined = `${sandbox.r4.baseUrl}/Appointment?_count=100`; url !== undefined;) {
    const { entry = [], link = [] } = (await (await fetch(url)).json()) as Found;
    for (const { resource } of entry) ids.add(resource.id);
    url = link.find(({ relation }) => relation === "next")?.url;
  }
  return ids;
}
