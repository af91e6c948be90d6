import type { FhirResource, Parameters } from "fhir/r4.js";
import * as z from "zod/mini";
import { ehrError, outcomeError, responseError } from "../http/errors.ts";
import type { CallOptions } from "../http/exchange.ts";
import { bodyAs, Bundle, OperationOutcome, Resource } from "../http/payload-schemas.ts";
import type { Connection } from "./connection.ts";
import { maxBundleBytes } from "./search.ts";
import type { ResourceType } from "./types.ts";
import { writeHeaders } from "./write.ts";

/**
 * The resources of the response, without OperationOutcomes; one with an error is thrown. For `match`, only the certain matches.
 * https://hl7.org/fhir/R4/operations.html
 */
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
    interaction: `${name} ${type}`,
    effect,
    ...options,
  });
  const error = responseError(response, effect, ctx.clock());
  if (error) throw error;
  const bundle = bodyAs(Bundle, response);
  const entries: Entry[] = bundle ? (bundle.entry ?? []) : [{ resource: bodyAs(Resource, response) }];
  const results = entries.flatMap(({ resource, search }) => (resource ? [{ resource, search }] : []));
  for (const { resource } of results) {
    const outcome = z.safeParse(OperationOutcome, resource);
    const failure = outcome.success ? outcomeError(outcome.data, effect) : undefined;
    if (failure) throw failure;
  }
  const resources = results.filter(({ resource }) => resource.resourceType !== "OperationOutcome");
  if (!bundle && resources.length === 0) throw ehrError(effect === "write" ? "ehr_unknown_outcome" : "ehr_invalid");
  return resources.filter((one) => name !== "match" || isCertain(one)).flatMap(({ resource }) => version.toR4(resource));
}

type BundleEntry = NonNullable<Bundle["entry"]>[number];
type Entry = { resource?: BundleEntry["resource"]; search?: BundleEntry["search"] };

const matchGrade = "http://hl7.org/fhir/StructureDefinition/match-grade";

/** A match without a grade counts as certain. https://hl7.org/fhir/R4/extension-match-grade.html */
function isCertain({ search }: Pick<Entry, "search">): boolean {
  const grade = search?.extension?.find(({ url }) => url === matchGrade)?.valueCode;
  return grade === undefined || grade === null || grade === "certain";
}
