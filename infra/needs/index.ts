import type { FunctionName } from "../config/functions.ts";
import { eventNeeds } from "./events.ts";
import { integrationNeeds } from "./integrations.ts";
import type { Needs } from "./types.ts";
import { webNeeds } from "./web.ts";

export type { Needs, Purpose, TenantNeeds } from "./types.ts";

export const needs: Readonly<Record<FunctionName, Needs>> = { ...webNeeds, ...integrationNeeds, ...eventNeeds };
