import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { curlCommand } from "./curl-command.tsx";

/** The arguments a real shell passes to curl. */
const argumentsIn = (command: string): string[] =>
  execFileSync("sh", ["-c", `curl() { printf '%s\\0' "$@"; }\n${command}`], { encoding: "utf8" })
    .split("\0")
    .slice(0, -1);

test("a shell passes the typed text to curl unchanged and runs none of it", () => {
  const values = { name: "O'Brien", note: `$(touch /tmp/x) \`id\` "$HOME" \\ 'quoted' \n line\t!`, list: ["a'b", 1, true] };
  const call = { origin: "https://site.example", callId: "test-1", toolCallId: "test-1-1", name: "getPatientInfo", values };
  const [method, verb, address, , authorization, , type, , body = ""] = argumentsIn(curlCommand(call, "key'one"));
  expect([method, verb, address]).toEqual(["-X", "POST", "https://site.example/api/vapi/tool-call"]);
  expect([authorization, type]).toEqual(["Authorization: Bearer key'one", "Content-Type: application/json"]);
  expect(JSON.parse(body)).toEqual({
    message: {
      type: "tool-calls",
      call: { id: "test-1" },
      toolCallList: [{ id: "test-1-1", type: "function", function: { name: "getPatientInfo", arguments: values } }],
    },
  });
});

test("without a key the command contains the placeholder", () => {
  expect(curlCommand({ origin: "", callId: "c", toolCallId: "t", name: "n", values: {} })).toContain("Bearer YOUR_API_KEY");
});
