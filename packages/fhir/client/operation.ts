import type { FhirResource, Parameters } from "fhir/r4.js";
import * as z from "zod/mini";
import type { Connection } from "./connection.ts";
import { ehrError, outcomeError, responseError } from "../http/errors.ts";
import { maxBundleBytes } from "./search.ts";
import type { CallOptions } from "../http/exchange.ts";
import type { ResourceType } from "./types.ts";
import { bodyAs, Bundle, OperationOutcome, Resource } from "../http/payload-schemas.ts";
import { writeHeaders } from "./write.ts";

/**
 * `POST [type]/$[name]` and the resources that come back, never an OperationOutcome: with an error in it, the answer is a refusal.
 * Of the matches of a server that grades them, only the certain ones. https://hl7.org/fhir/R4/operations.html */
export async function runOperation(
  connection: Connection,
  type: ResourceType,
  name: string,
  parameters: Parameters,
  { effect = "read", ...options }: CallOptions & { effect?: "read" | "write" } = {},
): Promise<FhirResource[]> {
  const { ctx, baseUrl, version, send } = connection;
  const response = await send({
    url: `${baseUrl}/${version.nativeType(type)}/$${name}`,
    method: "POST",
    headers: writeHeaders(connection),
    body: JSON.stringify(version.toNative(parameters)),
    maxBytes: maxBundleBytes,
    operation: `${name} ${type}`,
    effect,
    ...options,
  });
  const refusal = responseError(response, effect, ctx.clock());
  if (refusal) throw refusal;
  const bundle = bodyAs(Bundle, response);
  const entries: Entry[] = bundle ? (bundle.entry ?? []) : [{ resource: bodyAs(Resource, response) }];
  const answers = entries.flatMap(({ resource, search }) => (resource ? [{ resource, search }] : []));
  for (const { resource } of answers) {
    const outcome = z.safeParse(OperationOutcome, resource);
    const refused = outcome.success ? outcomeError(outcome.data, effect) : undefined;
    if (refused) throw refused;
  }
  const resources = answers.filter(({ resource }) => resource.resourceType !== "OperationOutcome");
  if (!bundle && resources.length === 0) throw ehrError(effect === "write" ? "ehr_unknown_outcome" : "ehr_invalid");
  return resources.filter((one) => name !== "match" || isCertain(one)).flatMap(({ resource }) => version.toR4(resource));
}

type BundleEntry = NonNullable<Bundle["entry"]>[number];
type Entry = { resource?: BundleEntry["resource"]; search?: BundleEntry["search"] };

const matchGrade = "http://hl7.org/fhir/StructureDefinition/match-grade";

/** As the server grades it, where it does. https://hl7.org/fhir/R4/extension-match-grade.html */
function isCertain({ search }: Pick<Entry, "search">): boolean {
  const grade = search?.extension?.find(({ url }) => url === matchGrade)?.valueCode;
  return grade === undefined || grade === null || grade === "certain";
}
