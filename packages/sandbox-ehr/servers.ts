import type { ClientKeys } from "./auth/client-keys.ts";
import { type Call, Refusal, type Reply } from "./http/http.ts";
import { layered } from "./store/layered.ts";
import type { Personality, PersonalityName } from "./personalities/personality.ts";
import { serveFhir } from "./serve-fhir.ts";
import type { Store } from "./store/store.ts";
import { createTokenEndpoint, type TokenFault } from "./auth/token.ts";
import type { FhirVersion, Version } from "./versions/version.ts";
import { dstu2 } from "./versions/dstu2/index.ts";
import { stu3 } from "./versions/stu3/index.ts";
import type { Resource } from "./store/resource.ts";

const same = (text: string) => text;

const r4: Version = {
  name: "R4",
  fhirVersion: "4.0.1",
  mediaType: "application/fhir+json",
  typeName: same,
  paramNames: {},
  joinedParams: {},
  sortsByModifier: false,
  toNative: (resource) => resource,
  toR4: (native) => native as unknown as Resource,
  systemToNative: same,
  systemToR4: same,
};

export const versions: Record<FhirVersion, Version> = { R4: r4, STU3: stu3, DSTU2: dstu2 };

export interface Address {
  baseUrl: string;
  tokenUrl: string;
  authUrl: string;
}
type Every = Record<FhirVersion, Address>;
export type ServerAddresses = Record<Exclude<PersonalityName, "cerner-like" | "hapi-like">, Every> & {
  "cerner-like": Pick<Every, "R4" | "DSTU2">;
  "hapi-like": Pick<Every, "R4">;
};

interface Options {
  origin: string;
  store: Store;
  keys: ClientKeys;
  now: () => Date;
  seed: number;
  tokenSeconds: number;
  openReads?: boolean | undefined;
  trusting?: boolean | undefined;
}

/** `path` follows the address of the FHIR server. */
interface Found {
  at: "fhir" | "token" | "sign-in";
  path: string;
  keepsSlotsFree: boolean;
  store: Store;
  serve(call: Call, oddity?: TokenFault): Promise<Reply>;
}

/** All servers share one store; a token is valid within its personality. */
export function openServers(
  personalities: Personality[],
  { origin, store: common, keys, now, seed, tokenSeconds, openReads, trusting }: Options,
) {
  const stores = new Map(
    personalities.map(({ name, records }) => [name, records ? layered(common, () => records(common, now(), seed), now) : common]),
  );
  const storeOf = ({ name }: Personality): Store => stores.get(name) ?? common;
  const opened = personalities.flatMap((personality) => serversOf(personality));
  const addresses = Object.fromEntries(
    personalities.map(({ name }) => [
      name,
      Object.fromEntries(opened.flatMap((one) => (one.personality === name && one.version ? [[one.version, one.address]] : []))),
    ]),
  ) as ServerAddresses;

  function serversOf(personality: Personality) {
    const { name, paths, tokenPath, algorithms, wildcardScopes: wildcards } = personality;
    const store = storeOf(personality);
    const signInPath = tokenPath.replace(/token$/, "authorize");
    const [tokenUrl, authUrl] = [`${origin}${tokenPath}`, `${origin}${signInPath}`];
    const tokens = createTokenEndpoint({ tokenUrl, keys, algorithms, wildcards, tokenSeconds, now, trusting });
    const address = { baseUrl: origin, tokenUrl, authUrl };
    const fhir = (Object.entries(paths) as [FhirVersion, string][]).map(([version, path]) => {
      const baseUrl = `${origin}${path}`;
      const options = { store, baseUrl, now, personality, version: versions[version], tokenUrl, authUrl, ...(openReads && { openReads }) };
      return { at: "fhir" as const, path, personality: name, version, address: { ...address, baseUrl }, serve: serveFhir(options, tokens) };
    });
    return [
      ...fhir,
      { at: "token" as const, path: tokenPath, personality: name, version: undefined, address, serve: tokens.answer },
      {
        at: "sign-in" as const,
        path: signInPath,
        personality: name,
        version: undefined,
        address,
        serve: async (call: Call) => tokens.authorizePerson(call),
      },
    ];
  }

  const serverFor = ({ path }: Call): Found => {
    const found = opened.find((one) => (one.at === "fhir" ? `${path}/`.startsWith(`${one.path}/`) : path === one.path));
    const personality = personalities.find(({ name }) => name === found?.personality);
    if (found && personality) {
      const { keepsSlotsFree = false } = personality;
      return { at: found.at, path: path.slice(found.path.length), keepsSlotsFree, store: storeOf(personality), serve: found.serve };
    }
    throw (
      personalities.map(({ tenant }) => tenant?.(path)).find((one) => one !== undefined) ??
      new Refusal(404, "not-found", "Not found; see /")
    );
  };

  return { addresses, serverFor };
}
