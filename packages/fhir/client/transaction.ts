import { isAppError } from "@vitaline/core";
import type { FhirResource } from "fhir/r4.js";
import * as z from "zod/mini";
import { idInLocation, isId } from "./resource-url.ts";
import type { Connection } from "./connection.ts";
import { ehrError, statusErrorCode, responseError } from "../http/errors.ts";
import { maxBundleBytes } from "./search.ts";
import type { CallOptions } from "../http/exchange.ts";
import type { TransactionEntry } from "./types.ts";
import { bodyAs, Resource } from "../http/payload-schemas.ts";
import { writeHeaders } from "./write.ts";

const TransactionAnswer = z.looseObject({
  resourceType: z.literal("Bundle"),
  entry: z.array(
    z.looseObject({ resource: z.nullish(Resource), response: z.looseObject({ status: z.string(), location: z.nullish(z.string()) }) }),
  ),
});
type TransactionAnswer = z.infer<typeof TransactionAnswer>;

const resourceOf = (entry: TransactionEntry): FhirResource => ("create" in entry ? entry.create : entry.update);

/**
 * All entries or none. A server may run them one by one and keep a part, so each entry's own status counts: none kept is a refusal
 * like any other (`ehr_conflict` and so on), a part kept is `ehr_unknown_outcome`, as somebody has to look.
 * https://hl7.org/fhir/R4/http.html#transaction
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
    body: JSON.stringify({ resourceType: "Bundle", type: "transaction", entry: entries.map((entry) => entryOf(connection, entry)) }),
    maxBytes: maxBundleBytes,
    operation: "transaction",
    effect: "write",
    ...options,
  });
  const refusal = responseError(response, "write", ctx.clock());
  if (refusal) throw refusal;
  const answered = bodyAs(TransactionAnswer, response)?.entry ?? [];
  if (answered.length !== entries.length) throw ehrError("ehr_unknown_outcome");

  const codes = answered.flatMap(({ response: { status } }) =>
    status.startsWith("2") ? [] : [statusErrorCode(Number.parseInt(status, 10) || 500, "write")],
  );
  const [code] = codes;
  if (code !== undefined)
    throw ehrError(codes.length === entries.length && !codes.includes("ehr_unknown_outcome") ? code : "ehr_unknown_outcome");
  return Promise.all(entries.map((entry, index) => storedOf(connection, entry, answered[index], options)));
}

/** What became of one entry: in the answer, else at its location, else as it was sent. It has happened, so failing to see it is no failure. */
async function storedOf(
  { version, read }: Connection,
  entry: TransactionEntry,
  answered: TransactionAnswer["entry"][number] | undefined,
  options: CallOptions,
): Promise<FhirResource> {
  const sent = resourceOf(entry);
  const { resourceType } = sent;
  const native = version.nativeType(resourceType);
  const shown = answered?.resource;
  if (shown?.resourceType === native && isId(shown.id ?? "")) return version.toR4(shown, resourceType)[0] ?? sent;
  const id = idInLocation(answered?.response.location ?? undefined, native) ?? sent.id;
  if (id === undefined) return sent;
  return read(resourceType, id, options).catch((error: unknown) => {
    if (isAppError(error)) return { ...sent, id };
    throw error;
  });
}

function entryOf({ version }: Connection, entry: TransactionEntry): object {
  const resource = resourceOf(entry);
  const type = version.nativeType(resource.resourceType);
  const request =
    "create" in entry
      ? { method: "POST", url: type, ...(entry.ifNoneExist && { ifNoneExist: entry.ifNoneExist }) }
      : { method: "PUT", url: `${type}/${resource.id}`, ...(entry.ifMatch && { ifMatch: entry.ifMatch }) };
  return { resource: version.toNative(resource), request };
}
