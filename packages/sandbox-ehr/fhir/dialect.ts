import type { Bundle, BundleEntry, FhirResource } from "fhir/r4.js";
import type { Ids } from "../personalities/personality.ts";
import { Refusal } from "../http/http.ts";
import { isResourceType, parseReference, resourceTypes, type Resource, type ResourceType } from "../store/resource.ts";
import type { NativeResource, Surroundings, Version } from "../versions/version.ts";

/** Translates between R4 and the names, ids and addresses of one server. */
export interface Dialect {
  version: Version;
  ids: Ids;
  typeOf(name: string): ResourceType | undefined;
  outward(body: object): object;
  inward(native: NativeResource): Resource;
  urlOutward(url: string): string;
  referenceInward(reference: string): string;
}

export const sameIds: Ids = { encode: (id) => id, decode: (id) => id };

export function createDialect(version: Version, ids: Ids, baseUrl: string, around: Surroundings): Dialect {
  const types = new Map(resourceTypes.flatMap((type) => (version.typeName(type) ? [[version.typeName(type)!, type] as const] : [])));
  const typeOut = (type: string) => (isResourceType(type) ? (version.typeName(type) ?? type) : type);

  const referenceOutward = (reference: string): string => {
    const target = localTarget(reference);
    return target ? `${typeOut(target.type)}/${ids.encode(target.id)}` : reference;
  };
  const referenceInward = (reference: string): string => {
    const target = localTarget(reference);
    return target ? `${types.get(target.type) ?? target.type}/${ids.decode(target.id)}` : reference;
  };
  const urlOutward = (url: string): string => {
    if (!url.startsWith(`${baseUrl}/`)) return url;
    const [path = "", query] = url.slice(baseUrl.length + 1).split("?");
    const [type = "", id, ...rest] = path.split("/");
    const renamed = [typeOut(type), ...(id === undefined ? [] : [ids.encode(id)]), ...rest].join("/");
    return `${baseUrl}/${renamed}${query === undefined ? "" : `?${query}`}`;
  };

  const resourceOutward = (resource: FhirResource): object => {
    const native = version.toNative(resource, around) as NativeResource;
    const named = rewrite(native, { reference: referenceOutward, system: version.systemToNative }) as NativeResource;
    return named.id === undefined ? named : { ...named, id: ids.encode(named.id) };
  };
  const entryOutward = ({ fullUrl, resource, response, ...rest }: BundleEntry): object => ({
    ...(fullUrl && { fullUrl: urlOutward(fullUrl) }),
    ...(resource && { resource: outward(resource) }),
    ...rest,
    ...(response && { response: { ...response, ...(response.location && { location: urlOutward(response.location) }) } }),
  });
  const outward = (body: object): object => {
    const { resourceType } = body as FhirResource;
    if (resourceType === "Bundle") {
      const { link = [], entry = [], ...bundle } = body as Bundle;
      return { ...bundle, link: link.map((one) => ({ ...one, url: urlOutward(one.url) })), entry: entry.map(entryOutward) };
    }
    return isResourceType(resourceType) ? resourceOutward(body as FhirResource) : body;
  };

  return {
    version,
    ids,
    typeOf: (name) => types.get(name),
    outward,
    inward(native) {
      const type = types.get(native.resourceType);
      if (!type) throw new Refusal(400, "structure", "The body's resource type is not supported by this server");
      const resource = rewrite(version.toR4(native), { reference: referenceInward, system: version.systemToR4 }) as Resource;
      return resource.id === undefined ? resource : { ...resource, id: ids.decode(resource.id) };
    },
    urlOutward,
    referenceInward,
  };
}

/** Leaves out references to contained resources and to other entries of a Bundle. */
const localTarget = (reference: string) => (/^(#|urn:)/.test(reference) ? undefined : parseReference(reference));

function rewrite(value: unknown, to: { reference(text: string): string; system(text: string): string }): unknown {
  if (Array.isArray(value)) return value.map((one) => rewrite(one, to));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => {
      if (typeof part !== "string") return [name, rewrite(part, to)];
      return [name, name === "reference" ? to.reference(part) : name === "system" ? to.system(part) : part];
    }),
  );
}
