import { contract, type Auth } from "@vitaline/contract";

/** The first two segments of the paths that voice platforms call with a key or a signature: "/api/vapi/", "/api/calls". */
export const platformPathPrefixes = (): string[] => prefixesOf(["key", "signature"], 2);

/** The paths of signed webhooks, before the voice provider's id: "/api/vapi/hook/". */
export const hookPathPrefixes = (): string[] => prefixesOf(["signature"], 3);

/** The first segments of all API paths: "/api", "/.well-known". */
export const apiRoots = (): string[] =>
  prefixesOf(["public", "user", "tenant_admin", "system_admin", "key", "signature"], 1).map((prefix) => prefix.slice(0, -1));

const prefixesOf = (auths: readonly Auth[], steps: number): string[] => {
  const routes = Object.values(contract).flatMap((group) => Object.values(group));
  return [
    ...new Set(
      routes
        .filter(({ auth }) => auths.includes(auth))
        .map(({ path }) => {
          const parts = path.split("/");
          return parts.slice(0, steps + 1).join("/") + (parts.length > steps + 1 ? "/" : "");
        }),
    ),
  ];
};
