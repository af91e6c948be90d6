import type { OutboundResponse } from "@vitaline/outbound";
import type { FhirResource } from "fhir/r4.js";
import { isId, resourceUrl } from "./address.ts";
import { capabilityFrom, readStated, type StatedCapability } from "./capability.ts";
import { ehrError } from "./errors.ts";
import { exchange } from "./exchange.ts";
import { refusalOf } from "./refusal.ts";
import { sendTo, type FhirServer, type Send } from "./send.ts";
import { keepSource } from "./source.ts";
import type { CallOptions, Capability, FhirContext } from "./types.ts";
import type { Version } from "./version.ts";
import { versions } from "./versions.ts";
import { bodyAs, Resource } from "./wire.ts";

/** What the interactions with one server share. */
export type Connection = {
  ctx: FhirContext;
  baseUrl: string;
  version: Version;
  send: Send;
  stated(options?: CallOptions): Promise<StatedCapability>;
  capability(options?: CallOptions): Promise<Capability>;
  read<T extends FhirResource>(type: T["resourceType"], id: string, options?: CallOptions): Promise<T>;
  /** An answer's resources as R4, when it is one of `wanted` type; undefined when it is something else. */
  resourceIn(response: OutboundResponse, wanted: string): FhirResource | undefined;
};

const maxStatementBytes = 8 << 20;

export function connect(ctx: FhirContext, server: FhirServer): Connection {
  const { baseUrl, fhirVersion } = server;
  const version = versions[fhirVersion];
  const send = sendTo(ctx, server);

  const statement = async ({ signal }: CallOptions): Promise<OutboundResponse> => {
    const request = { url: `${baseUrl}/metadata`, operation: "metadata", effect: "read", maxBytes: maxStatementBytes, signal } as const;
    const open = await exchange(ctx, { ...request, headers: { Accept: version.mediaType }, savedOrigin: new URL(baseUrl).origin });
    return open.status === 401 || open.status === 403 ? send(request) : open;
  };
  const stated: Connection["stated"] = (options = {}) => readStated(ctx, server, statement, options);

  const resourceIn: Connection["resourceIn"] = (response, wanted) => {
    const native = bodyAs(Resource, response);
    if (native?.resourceType !== version.nativeType(wanted)) return undefined;
    if (native.id !== undefined && !isId(native.id)) throw ehrError("ehr_invalid");
    return asRead(version, native, response, wanted)[0];
  };

  /** The cast states what the check of `resourceType` has shown; the rest of a resource is read with care where it is used. */
  const read = async <T extends FhirResource>(type: T["resourceType"], id: string, { signal }: CallOptions = {}): Promise<T> => {
    const holder = version.holderOf(type, id);
    const response = await send({ url: resourceUrl(baseUrl, holder.type, holder.id), operation: `read ${type}`, effect: "read", signal });
    const refusal = refusalOf(response, "read", ctx.clock());
    if (refusal) throw refusal;
    const native = bodyAs(Resource, response);
    if (native?.resourceType !== holder.type || (native.id !== undefined && !isId(native.id))) throw ehrError("ehr_invalid");
    // Some servers know a record by several ids and answer with the one they prefer; of what lies within it, only the asked one will do.
    const held = asRead(version, native, response, type);
    const found = version.isWithin(type) ? held.find((one) => one.resourceType === type && one.id === id) : held[0];
    if (!found) throw ehrError("ehr_not_found");
    return found as T;
  };

  return {
    ...{ ctx, baseUrl, version, send, stated, read, resourceIn },
    capability: async (options) => capabilityFrom(await stated(options), fhirVersion),
  };
}

const etagPattern = /^(?:W\/)?"[^"]+"$/;

/** Some servers tell a version in the header alone, and some compare ETags to the letter: a record keeps the one it came with. */
function asRead(version: Version, native: Resource, { headers }: OutboundResponse, wanted: string): FhirResource[] {
  const found = version.toR4(native, wanted);
  const etag = etagPattern.test(headers.etag ?? "") ? headers.etag : undefined;
  const [whole] = found.toReversed();
  if (whole && etag !== undefined) keepSource(whole, { native, etag });
  return found;
}
