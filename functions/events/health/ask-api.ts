import { askFunction } from "@vitaline/aws";
import { AppError, envReader } from "@vitaline/core";
import * as z from "zod/mini";
import type { HttpEvent } from "../../lib/event.ts";

const environment = envReader(z.object({ EDGE_SECRET: z.string(), SITE_FUNCTION: z.string() }));
const Answer = z.object({ statusCode: z.int() });

/** One request to the API's function for visitors, as API Gateway would hand it over. AppError `unavailable` when it does not answer 200. */
export async function askApi(): Promise<void> {
  const { EDGE_SECRET, SITE_FUNCTION } = environment();
  const path = "/api/public/health";
  const event: HttpEvent = {
    routeKey: `GET ${path}`,
    rawPath: path,
    rawQueryString: "",
    headers: { "x-vitaline-edge": EDGE_SECRET },
    isBase64Encoded: false,
    requestContext: { domainName: "localhost", http: { method: "GET", sourceIp: "127.0.0.1" } },
  };
  const { statusCode } = z.parse(Answer, await askFunction(SITE_FUNCTION, event));
  if (statusCode !== 200) throw new AppError("unavailable", "The API does not answer as it should.");
}
