import { readJson } from "../aws/http/request.ts";
import { AwsError, jsonAnswer } from "../aws/http/respond.ts";
import type { Service } from "../aws/index.ts";
import { openJsonFile } from "../aws/json-file.ts";
import type { FunctionSpec } from "../template/functions.ts";

type Reserving = Pick<FunctionSpec, "name" | "arn" | "reservedConcurrency">;
type Asked = Pick<Parameters<Service>[0], "request" | "url">;

const routes = { Put: "PUT /2017-10-31", Get: "GET /2019-09-30", Delete: "DELETE /2017-10-31" };

const askedOf = ({ request: { method }, url }: Asked): { operation: string; name: string } | undefined => {
  const [, route, name = ""] = /^(.*)\/functions\/([^/]+)\/concurrency$/.exec(`${method} ${url.pathname}`) ?? [];
  const [operation] = Object.entries(routes).find(([, one]) => one === route) ?? [];
  return operation === undefined ? undefined : { operation, name: decodeURIComponent(name) };
};

export const isAboutConcurrency = (call: Asked): boolean => askedOf(call) !== undefined;

/**
 * Reserved concurrency, without the account's quota. Changes outlive a restart, since a deployment does not undo them; null is no
 * reservation. Source: "PutFunctionConcurrency", "GetFunctionConcurrency" and "DeleteFunctionConcurrency" in the Lambda API reference.
 */
export function concurrencyApi(functions: Reserving[], path: string | undefined): Service {
  const { value: changed, save } = openJsonFile<Record<string, number | null>>(path, {});
  for (const one of functions) {
    const kept = changed[one.name];
    if (kept !== undefined) one.reservedConcurrency = kept ?? undefined;
  }
  const change = (one: Reserving, reserved: number | undefined): void => {
    one.reservedConcurrency = reserved;
    changed[one.name] = reserved ?? null;
    save();
  };

  return async (call) => {
    const { operation = "", name = "" } = askedOf(call) ?? {};
    const resource = name.startsWith("arn:") ? name : `${functions[0]?.arn.split(":").slice(0, 6).join(":")}:${name}`;
    call.authorize({ action: `lambda:${operation}FunctionConcurrency`, resource });
    const found = functions.find(({ arn }) => arn === resource);
    if (!found) throw new AwsError(404, "ResourceNotFoundException", `Function not found: ${resource}`);
    if (operation === "Put") change(found, reservedIn(call.body));
    if (operation === "Delete") change(found, undefined);
    if (operation === "Delete") return { status: 204 };
    return jsonAnswer("lambda", { ReservedConcurrentExecutions: found.reservedConcurrency });
  };
}

function reservedIn(body: Buffer): number {
  const { ReservedConcurrentExecutions: reserved } = readJson(body);
  if (typeof reserved === "number" && Number.isInteger(reserved) && reserved >= 0) return reserved;
  throw new AwsError(400, "InvalidParameterValueException", "ReservedConcurrentExecutions must be a whole number, 0 or more.");
}
