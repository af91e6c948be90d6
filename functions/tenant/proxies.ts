import type { proxies } from "@vitaline/contract";
import { approveProxy, changeProxy, listProxies, readProxy, revokeProxy } from "@vitaline/proxies";
import type { Handlers } from "../lib/api/serve.ts";
import { answerPage } from "../lib/http/response.ts";

export const proxyHandlers: Handlers<typeof proxies> = {
  listProxies: async (ctx, { query }) => answerPage(await listProxies(ctx, query)),
  approveProxy: (ctx, { body }) => approveProxy(ctx, body),
  readProxy: (ctx, { params }) => readProxy(ctx, params.proxyId),
  changeProxy: (ctx, { params, body, ifMatch }) => changeProxy(ctx, params.proxyId, body, ifMatch),
  revokeProxy: (ctx, { params }) => revokeProxy(ctx, params.proxyId),
};
