import type { FhirResource, Parameters } from "fhir/r4.js";
import type { CallOptions, FhirContext } from "../http/exchange.ts";
import type { SearchParams } from "../versions/convert/search-rules.ts";
import { connect, type FhirServer } from "./connection.ts";
import { runOperation } from "./operation.ts";
import { searchAll } from "./search.ts";
import { runTransaction } from "./transaction.ts";
import type { FhirClient, ResourceType } from "./types.ts";
import { change, create, update } from "./write.ts";

/** https://hl7.org/fhir/R4/http.html */
export function createFhirClient(ctx: FhirContext, server: FhirServer): FhirClient {
  const connection = connect(ctx, server);
  return {
    fhirVersion: server.fhirVersion,
    capability: connection.capability,
    read: connection.read,
    // Search results are of the searched type; the caller knows the type of an operation's results.
    search: async <T extends FhirResource>(type: T["resourceType"], params: SearchParams, options = {}) =>
      (await searchAll(connection, type, params, options)) as T[],
    create: create(connection),
    update: update(connection),
    change: change(connection),
    operation: async <T extends FhirResource>(
      type: ResourceType,
      name: string,
      parameters: Parameters,
      options?: CallOptions & { effect?: "read" | "write" },
    ) => (await runOperation(connection, type, name, parameters, options)) as T[],
    transaction: (entries, options) => runTransaction(connection, entries, options),
  };
}
