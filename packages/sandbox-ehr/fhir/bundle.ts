import type { View } from "../store/store.ts";
import type { Dialect } from "./dialect.ts";
import { searchInward } from "./search-terms.ts";
import type { NativeResource } from "../versions/version.ts";

type NativeEntry = {
  resource?: NativeResource;
  request?: { url?: string; ifNoneExist?: string; [name: string]: unknown };
  [name: string]: unknown;
};

/** Translates every entry of a transaction or batch to R4. Leaves an invalid Bundle for validation. */
export function transactionInward(dialect: Dialect, view: View, bundle: NativeResource): object {
  if (!Array.isArray(bundle.entry)) return bundle;
  const entries = bundle.entry as NativeEntry[];
  return { ...bundle, entry: entries.map((entry) => entryInward(dialect, view, entry)) };
}

function entryInward(dialect: Dialect, view: View, entry: NativeEntry): object {
  const { resource, request } = entry;
  if (!resource || !request?.url) return entry;
  const type = dialect.typeOf(resource.resourceType);
  const { url, ifNoneExist } = request;
  return {
    ...entry,
    resource: dialect.inward(resource),
    request: {
      ...request,
      url: url.includes("/") ? dialect.referenceInward(url) : (dialect.typeOf(url) ?? url),
      ...(ifNoneExist && type && { ifNoneExist: String(searchInward(dialect, view, type, new URLSearchParams(ifNoneExist))) }),
    },
  };
}
