import { contract, type FunctionName as ContractFunctionName } from "@vitaline/contract";

/** One Lambda function per API group, one for what no route answers, and those that events start. */
export type FunctionName = ContractFunctionName | "public" | EventFunctionName;

export const eventFunctionNames = [
  "events/project",
  "events/archive",
  "events/probe",
  "events/health",
  "events/export",
  "events/erase",
  "events/remind",
  "events/deliver",
  "events/receipts",
  "events/reconcile",
  "events/retain",
] as const;
export type EventFunctionName = (typeof eventFunctionNames)[number];

export const httpFunctionNames: readonly FunctionName[] = [...(Object.keys(contract) as ContractFunctionName[]), "public"];

export const functionNames: readonly FunctionName[] = [...httpFunctionNames, ...eventFunctionNames];

/** The name where slashes may not stand: folders, log groups, Lambda names. */
export const dashed = (name: FunctionName): string => name.replace("/", "-");

export type Size = { memoryMiB: number; timeoutSeconds: number };

const usual: Size = { memoryMiB: 512, timeoutSeconds: 15 };

/** 1,769 MiB is one whole processor: a password hash takes it all. A voice waits, so voice gets more, and an end soon. */
const special: Partial<Record<FunctionName, Size>> = {
  auth: { memoryMiB: 1792, timeoutSeconds: 15 },
  voice: { memoryMiB: 1024, timeoutSeconds: 12 },
  mcp: { memoryMiB: 1024, timeoutSeconds: 12 },
  "events/project": { memoryMiB: 512, timeoutSeconds: 60 },
  "events/archive": { memoryMiB: 512, timeoutSeconds: 60 },
  "events/probe": { memoryMiB: 512, timeoutSeconds: 55 },
  "events/remind": { memoryMiB: 512, timeoutSeconds: 120 },
  "events/deliver": { memoryMiB: 512, timeoutSeconds: 120 },
  "events/health": { memoryMiB: 512, timeoutSeconds: 120 },
  "events/reconcile": { memoryMiB: 512, timeoutSeconds: 300 },
  // A hundred thousand rows, page by page.
  "events/export": { memoryMiB: 512, timeoutSeconds: 900 },
  "events/erase": { memoryMiB: 512, timeoutSeconds: 900 },
  "events/retain": { memoryMiB: 512, timeoutSeconds: 900 },
  tools: { memoryMiB: 1024, timeoutSeconds: 20 },
};

export const sizeOf = (name: FunctionName): Size => special[name] ?? usual;
