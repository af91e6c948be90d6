import { type Auth, contract, type FunctionName as ContractFunctionName } from "@vitaline/contract";

/** One function per API group, `public` for requests that match no route, and the functions that events start. */
export type FunctionName = ContractFunctionName | "public" | EventFunctionName;

export const eventFunctionNames = [
  "events/project",
  "events/archive",
  "events/verify",
  "events/retry",
  "events/health",
  "events/export",
  "events/erase",
  "events/remind",
  "events/deliver",
  "events/receipts",
  "events/reconcile",
  "events/retain",
  "events/canary",
] as const;
export type EventFunctionName = (typeof eventFunctionNames)[number];

export const httpFunctionNames: readonly FunctionName[] = [...(Object.keys(contract) as ContractFunctionName[]), "public"];

export const functionNames: readonly FunctionName[] = [...httpFunctionNames, ...eventFunctionNames];

/** The name without slashes, for folders, log groups and Lambda names. */
export const dashed = (name: FunctionName): string => name.replace("/", "-");

type Size = { memoryMiB: number; timeoutSeconds: number };

const defaultSize: Size = { memoryMiB: 512, timeoutSeconds: 15 };

/** 1,769 MiB is one vCPU, which a password hash uses fully. Voice calls wait, so voice gets more memory and a short timeout. */
const sizes: Partial<Record<FunctionName, Size>> = {
  auth: { memoryMiB: 1792, timeoutSeconds: 15 },
  voice: { memoryMiB: 1024, timeoutSeconds: 12 },
  mcp: { memoryMiB: 1024, timeoutSeconds: 12 },
  "events/project": { memoryMiB: 512, timeoutSeconds: 60 },
  "events/archive": { memoryMiB: 512, timeoutSeconds: 60 },
  // Holds the ids of what a chain got since its last verification.
  "events/verify": { memoryMiB: 1024, timeoutSeconds: 900 },
  "events/retry": { memoryMiB: 512, timeoutSeconds: 55 },
  "events/remind": { memoryMiB: 512, timeoutSeconds: 120 },
  "events/deliver": { memoryMiB: 512, timeoutSeconds: 120 },
  "events/health": { memoryMiB: 512, timeoutSeconds: 120 },
  "events/reconcile": { memoryMiB: 512, timeoutSeconds: 300 },
  // Up to 100,000 rows, page by page.
  "events/export": { memoryMiB: 512, timeoutSeconds: 900 },
  "events/erase": { memoryMiB: 512, timeoutSeconds: 900 },
  "events/retain": { memoryMiB: 512, timeoutSeconds: 900 },
  "events/canary": { memoryMiB: 256, timeoutSeconds: 20 },
  tools: { memoryMiB: 1024, timeoutSeconds: 20 },
};

export const sizeOf = (name: FunctionName): Size => sizes[name] ?? defaultSize;

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
