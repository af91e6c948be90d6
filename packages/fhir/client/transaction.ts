import { isAppError } from "@vitaline/core";
import type { FhirResource } from "fhir/r4.js";
import * as z from "zod/mini";
import { ehrError, responseError, statusErrorCode } from "../http/errors.ts";
import type { CallOptions } from "../http/exchange.ts";
import { bodyAs, Resource } from "../http/payload-schemas.ts";
import { type Connection, idInLocation, isId } from "./connection.ts";
import { maxBundleBytes } from "./search.ts";
import type { TransactionEntry } from "./types.ts";
import { writeHeaders } from "./write.ts";

const TransactionResponse = z.looseObject({
  resourceType: z.literal("Bundle"),
  entry: z.array(
    z.looseObject({ resource: z.nullish(Resource), response: z.looseObject({ status: z.string(), location: z.nullish(z.string()) }) }),
  ),
});
type TransactionResponse = z.infer<typeof TransactionResponse>;

const resourceOf = (entry: TransactionEntry): FhirResource => ("create" in entry ? entry.create : entry.update);

/**
 * Checks each entry's own status, since a server may have run the entries one by one: all refused throws the refusal (`ehr_conflict` and so
 * on), a part refused throws `ehr_unknown_outcome`. https://hl7.org/fhir/R4/http.html#transaction
 */
export async function runTransaction(
  connection: Connection,
  entries: readonly TransactionEntry[],
  options: CallOptions = {},
): Promise<FhirResource[]> {
  const { ctx, baseUrl, version, send } = connection;
  if (entries.some((entry) => version.isEmbedded(resourceOf(entry).resourceType))) throw ehrError("ehr_unsupported");
  const response = await send({
    url: baseUrl,
    method: "POST",
    headers: writeHeaders(connection),
    body: JSON.stringify({ resourceType: "Bundle", type: "transaction", entry: entries.map((entry) => bundleEntry(connection, entry)) }),
    maxBytes: maxBundleBytes,
    interaction: "transaction",
    effect: "write",
    ...options,
  });
  const error = responseError(response, "write", ctx.clock());
  if (error) throw error;
  const responses = bodyAs(TransactionResponse, response)?.entry ?? [];
  if (responses.length !== entries.length) throw ehrError("ehr_unknown_outcome");

  const codes = responses.flatMap(({ response: { status } }) =>
    status.startsWith("2") ? [] : [statusErrorCode(Number.parseInt(status, 10) || 500, "write")],
  );
  const [code] = codes;
  if (code !== undefined)
    throw ehrError(codes.length === entries.length && !codes.includes("ehr_unknown_outcome") ? code : "ehr_unknown_outcome");
  return Promise.all(entries.map((entry, index) => storedResource(connection, entry, responses[index], options)));
}

async function storedResource(
  { version, read }: Connection,
  entry: TransactionEntry,
  result: TransactionResponse["entry"][number] | undefined,
  options: CallOptions,
): Promise<FhirResource> {
  const sent = resourceOf(entry);
  const { resourceType } = sent;
  const native = version.nativeType(resourceType);
  const shown = result?.resource;
  if (shown?.resourceType === native && isId(shown.id ?? "")) return version.toR4(shown, resourceType)[0] ?? sent;
  const id = idInLocation(result?.response.location ?? undefined, native) ?? sent.id;
  if (id === undefined) return sent;
  return read(resourceType, id, options).catch((error: unknown) => {
    if (isAppError(error)) return { ...sent, id };
    throw error;
  });
}

function bundleEntry({ version }: Connection, entry: TransactionEntry): object {
  const resource = resourceOf(entry);
  const type = version.nativeType(resource.resourceType);
  const request =
    "create" in entry
      ? { method: "POST", url: type, ...(entry.ifNoneExist && { ifNoneExist: entry.ifNoneExist }) }
      : { method: "PUT", url: `${type}/${resource.id}`, ...(entry.ifMatch && { ifMatch: entry.ifMatch }) };
  return { resource: version.toNative(resource), request };
}
