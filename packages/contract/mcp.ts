import * as z from "zod/mini";
import { routes } from "./route.ts";

const common = {
  method: "POST",
  auth: "key",
  noStore: true,
  body: z.unknown(),
  response: z.unknown(),
} as const;

/** The key's tenant must be the path's, and the office the tenant's: anything else is not there. */
const TenantPath = z.object({ tenantId: z.string().check(z.maxLength(100)) });

export const mcp = routes({
  mcpTenant: {
    ...common,
    path: "/api/mcp/{tenantId}",
    summary: "The tools for any client of the Model Context Protocol (Streamable HTTP, stateless)",
    params: TenantPath,
  },
  mcpOffice: {
    ...common,
    path: "/api/mcp/{tenantId}/{officeId}",
    summary: "The same for one office",
    params: z.extend(TenantPath, { officeId: z.string().check(z.maxLength(100)) }),
  },
});
