import { invokeFunction, readAppSecrets } from "@vitaline/aws";
import { mailUnmailed } from "@vitaline/contact";
import { Id } from "@vitaline/contract";
import { awaitAllThenThrow, AppError, envReader, errorFields, secretValues } from "@vitaline/core";
import { probeAll, probeSome } from "@vitaline/system-health";
import * as z from "zod/mini";
import { logBacklog } from "../../lib/context/backlog.ts";
import { withOutboundLoopbackRule } from "../../lib/context/ehr-context.ts";
import { eventContextFor, type Invocation } from "../../lib/context/platform-context.ts";
import { shareOut, startShare } from "../../lib/context/share-out.ts";
import type { HttpEvent } from "../../lib/http/request.ts";

/** One invocation probes as many in its time even when none of them answers. */
const shareSize = { perShare: 96, maxShares: 11 };

/** The schedule names no connections. */
const Event = z.object({ connections: z.optional(z.array(z.object({ id: Id, tenantId: z.optional(Id) }))) });

/**
 * Every five minutes: probes the platform's components and connections, and retries unsent contact mails. Of more connections than one
 * invocation can probe, it starts others with a share each.
 */
export const handler = withOutboundLoopbackRule(async (event: unknown, invocation: Invocation): Promise<void> => {
  const ctx = eventContextFor(invocation, "health", ["health", "directory", "ehr", "contact", "throttle"]);
  const { connections } = z.parse(Event, event);
  if (connections) return probeSome(ctx, connections);
  // In parallel, so slow mail does not delay a probe.
  await awaitAllThenThrow([
    probeAll(ctx, probeApi, (all) => shareOut(ctx, all, shareSize, (some) => startShare({ connections: some }))).then((oldest) =>
      logBacklog(ctx, "health", oldest === undefined ? [] : [oldest]),
    ),
    mailUnmailed(ctx).catch((error: unknown) => ctx.log("error", "contactMessages.not_mailed", errorFields(error))),
  ]);
});

const environment = envReader(z.object({ SITE_FUNCTION: z.string() }));
const Answer = z.object({ statusCode: z.int() });

/** Sends one request to functions/site in API Gateway's format. AppError `unavailable` unless it answers 200. */
async function probeApi(): Promise<void> {
  await readAppSecrets();
  const { SITE_FUNCTION } = environment();
  const path = "/api/public/health";
  const event: HttpEvent = {
    routeKey: `GET ${path}`,
    rawPath: path,
    rawQueryString: "",
    headers: { "x-vitaline-edge": secretValues("edge")[0] },
    isBase64Encoded: false,
    requestContext: { domainName: "localhost", http: { method: "GET", sourceIp: "127.0.0.1" } },
  };
  const { statusCode } = z.parse(Answer, await invokeFunction(SITE_FUNCTION, event));
  if (statusCode !== 200) throw new AppError("unavailable", "The API does not answer as it should.");
}
