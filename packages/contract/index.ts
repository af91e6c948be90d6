import { tenantDashboard, dashboard } from "./calls.ts";
import { fhirProviders } from "./fhir-providers.ts";
import { offices } from "./offices.ts";
import { platformKeys, wellKnown } from "./platform-keys.ts";
import type { Route, Routes } from "./route.ts";
import { sessions } from "./sessions.ts";
import { tenant, tenants } from "./tenants.ts";
import { users } from "./users.ts";
import { vapi } from "./vapi.ts";

/** Every HTTP route, by the Lambda function that serves it. A route that is not here does not exist. */
export const contract = {
  auth: { ...sessions },
  tenant: { ...tenant, ...tenantDashboard },
  admin: { ...users, ...tenants, ...offices },
  fhir: { ...fhirProviders },
  keys: { ...platformKeys },
  dashboard: { ...dashboard },
  voice: { ...vapi },
  wellknown: { ...wellKnown },
} as const satisfies Record<string, Routes>;

export type FunctionName = keyof typeof contract;

/** All routes with their operation name and function, in table order. */
export const allRoutes = (): { functionName: FunctionName; operation: string; route: Route }[] =>
  Object.entries(contract).flatMap(([functionName, table]) =>
    Object.entries(table as Routes).map(([operation, route]) => ({ functionName: functionName as FunctionName, operation, route })),
  );

export * from "./calls.ts";
export * from "./fhir-providers.ts";
export * from "./offices.ts";
export * from "./platform-keys.ts";
export * from "./problem.ts";
export * from "./route.ts";
export * from "./sessions.ts";
export * from "./tenants.ts";
export * from "./users.ts";
export * from "./vapi.ts";
export { Id } from "./fields.ts";
