import type { Bundle, Patient } from "fhir/r4.js";
import { type Call, Refusal, type Reply } from "../http/http.ts";
import { readParameters, type Server } from "../fhir/interactions.ts";
import type { Stored } from "../store/resource.ts";
import { fold } from "../search/search-match.ts";
import { phoneDigits } from "../search/search-params.ts";

type MatchGrade = "certain" | "probable" | "possible";

const gradeUrl = "http://hl7.org/fhir/StructureDefinition/match-grade";
const defaultCount = 20;

/**
 * POST Patient/$match: Parameters {resource: Patient, onlyCertainMatches?, count?} to a searchset Bundle, best first, with `search.score`
 * 0..1 and the match-grade extension. Merged charts are left out. https://hl7.org/fhir/R4/patient-operation-match.html
 */
export function match(server: Server, call: Call): Reply {
  const parameters = readParameters(call, ["resource", "onlyCertainMatches", "count"]);
  const sent = parameters.get("resource")?.resource;
  if (sent?.resourceType !== "Patient") throw new Refusal(400, "required", 'The parameter "resource" must be a Patient');
  const wanted = sent as Patient;
  const onlyCertain = parameters.get("onlyCertainMatches")?.valueBoolean ?? false;
  const count = parameters.get("count")?.valueInteger ?? defaultCount;
  const found = matchPatients(server.store.all("Patient"), wanted)
    .filter(({ grade }) => !onlyCertain || grade === "certain")
    .slice(0, count);
  const body: Bundle = {
    resourceType: "Bundle",
    type: "searchset",
    total: found.length,
    entry: found.map(({ patient, score, grade }) => ({
      fullUrl: `${server.baseUrl}/Patient/${patient.id}`,
      resource: patient,
      search: { extension: [{ url: gradeUrl, valueCode: grade }], mode: "match", score },
    })),
  };
  return { status: 200, body };
}

/** If two patients would be certain, neither is. */
function matchPatients(patients: Stored<"Patient">[], wanted: Patient): { patient: Stored<"Patient">; score: number; grade: MatchGrade }[] {
  if (!wanted.name?.[0]?.family && !wanted.identifier?.[0]?.value)
    throw new Refusal(422, "required", "A match needs a family name or an identifier");
  const graded = patients
    .filter(({ link = [] }) => !link.some(({ type }) => type === "replaced-by"))
    .flatMap((patient) => {
      const comparison = compare(patient, wanted);
      const grade = gradeOf(comparison);
      return grade ? [{ patient, score: scoreOf(comparison), grade }] : [];
    });
  const severalCertain = graded.filter(({ grade }) => grade === "certain").length > 1;
  return graded
    .map((one) => (severalCertain && one.grade === "certain" ? { ...one, grade: "probable" as const } : one))
    .sort((a, b) => b.score - a.score);
}

type Agreement = "same" | "near" | "other";
type Comparison = Partial<Record<keyof typeof weights, Agreement>>;

/** Order of the example weights in HL7's Interoperable Digital Identity guide. */
const weights = { identifier: 5, phone: 4, email: 4, postalCode: 1, family: 2, given: 1, birthDate: 2, gender: 0.5 };

function compare(patient: Patient, wanted: Patient): Comparison {
  const [name, birthDate] = [wanted.name?.[0], wanted.birthDate];
  const result: Comparison = {};
  const set = (
    element: keyof typeof weights,
    sent: readonly (string | undefined)[],
    kept: readonly (string | undefined)[],
    near = false,
  ) => {
    const values = sent.filter((value) => value !== undefined && value !== "") as string[];
    if (values.length === 0) return;
    const same = values.some((value) => kept.includes(value));
    result[element] = same
      ? "same"
      : near && values.some((value) => kept.some((other) => other && isOneEditApart(value, other)))
        ? "near"
        : "other";
  };
  const folded = (text: string | undefined) => text && fold(text);
  const telecom = (of: Patient, system: string) =>
    (of.telecom ?? []).filter((contact) => contact.system === system).map(({ value = "" }) => value);
  const identifiers = (of: Patient) => (of.identifier ?? []).map(({ system = "", value }) => value && `${system}|${value}`);
  const postalCodes = (of: Patient) => (of.address ?? []).map(({ postalCode }) => postalCode?.slice(0, 5));
  const names = patient.name ?? [];
  set(
    "family",
    [folded(name?.family)],
    names.map(({ family }) => folded(family)),
    true,
  );
  set(
    "given",
    [folded(name?.given?.[0])],
    names.map(({ given }) => folded(given?.[0])),
    true,
  );
  set("birthDate", [birthDate], [patient.birthDate], true);
  set("gender", [wanted.gender], [patient.gender]);
  set("phone", telecom(wanted, "phone").map(phoneDigits), telecom(patient, "phone").map(phoneDigits));
  set("email", telecom(wanted, "email").map(folded), telecom(patient, "email").map(folded));
  set("identifier", identifiers(wanted), identifiers(patient));
  set("postalCode", postalCodes(wanted), postalCodes(patient));
  return result;
}

/** Certain: full name and birth date, or identifier and birth date, without a contradiction. */
function gradeOf({ family, given, birthDate, ...others }: Comparison): MatchGrade | undefined {
  const against = [family, given, birthDate, ...Object.values(others)].filter((agreement) => agreement === "other").length;
  const proven = others.identifier === "same" || (family === "same" && given === "same");
  if (proven && birthDate === "same" && against === 0 && ![family, given].includes("near")) return "certain";
  const alike = (agreement: Agreement | undefined) => agreement === "same" || agreement === "near";
  const nameAlike = alike(family) && alike(given);
  if (nameAlike && alike(birthDate) && against <= 1) return "probable";
  if (others.identifier === "same") return "probable";
  const contact = others.phone === "same" || others.email === "same";
  return (nameAlike && (alike(birthDate) || contact)) || (alike(family) && birthDate === "same") ? "possible" : undefined;
}

function scoreOf(comparison: Comparison): number {
  const parts = Object.entries(comparison) as [keyof typeof weights, Agreement][];
  const value = { same: 1, near: 0.5, other: 0 };
  const [got, whole] = parts.reduce(
    ([sum, all], [element, agreement]) => [sum + value[agreement] * weights[element], all + weights[element]],
    [0, 0],
  );
  return Math.round((got / whole) * 100) / 100;
}

/** One letter inserted, deleted or replaced, or two neighbors swapped. */
export function isOneEditApart(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1) return false;
  let from = 0;
  while (from < a.length && a[from] === b[from]) from++;
  const tail = (text: string, skipped: number) => text.slice(from + skipped);
  const exchanged = a[from] === b[from + 1] && a[from + 1] === b[from];
  return tail(a, 1) === tail(b, 1) || tail(a, 1) === tail(b, 0) || tail(a, 0) === tail(b, 1) || (exchanged && tail(a, 2) === tail(b, 2));
}
