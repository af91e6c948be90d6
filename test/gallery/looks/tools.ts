import type { Page } from "playwright-core";
import { open, reads } from "../../kit/browser/site.ts";
import { asTenant, type Look } from "../../kit/browser/axe.ts";

const panelOf = (page: Page) => page.getByRole("region", { name: "Test a tool" });
const openConsole = (page: Page, tool: string) => open(page, `/tenant/developers/test?tool=${tool}`);
const run = (page: Page) => panelOf(page).getByRole("button", { name: "Run tool" }).click();
const answer = (page: Page, tool: string, more: object) =>
  page.route(`**/api/tenant/tools/${tool}`, (route) =>
    route.fulfill({
      json: {
        ok: true,
        code: null,
        speech: "",
        output: null,
        requestId: "0123456789abcdef",
        ms: 184,
        sessionId: "s",
        modelTexts: [],
        ...more,
      },
    }),
  );

/** As long as a text for a model may be, or nearly. */
const textOfLength = (characters: number): string =>
  `{"speech":"${"We have Dr. Larkmere for cardiology at the Harbor office. ".repeat(21)}`.slice(0, characters - 2).concat('"}');

export const toolLooks: Look[] = [
  {
    name: "a tool that has answered, after one that refused",
    as: asTenant,
    arrange: async (page) => {
      await answer(page, "getPatientInfo", {
        ok: false,
        code: "identity_required",
        speech: "Before I can look at your record, I need to verify who you are.",
      });
      await answer(page, "getFhirProviders", {
        speech: "We have Dr. Larkmere for cardiology at the Harbor office, and Dr. Wren for family medicine.",
        output: { result: "found", providers: [{ name: "Dr. Larkmere", specialty: "Cardiology", locations: ["Harbor"] }] },
        modelTexts: [
          { platform: "vapi", text: textOfLength(1187) },
          { platform: "retellai", text: textOfLength(1196) },
        ],
      });
      await openConsole(page, "getPatientInfo");
      await run(page);
      await reads(panelOf(page), /identity_required/);
      await panelOf(page).getByLabel("Tool", { exact: true }).selectOption("getFhirProviders");
      await run(page);
      await reads(panelOf(page), /Dr\. Larkmere for cardiology/);
      await page.getByRole("button", { name: "Use my API key" }).click();
    },
  },
  {
    name: "arguments of every kind, one of them missing",
    as: asTenant,
    arrange: async (page) => {
      const inputSchema = {
        type: "object",
        properties: {
          name: { type: "string", description: "As the caller says it" },
          day: { type: "string", format: "date" },
          count: { type: "number" },
          isNew: { type: "boolean" },
          categories: { type: "array", items: { enum: ["labs", "vitals"] } },
          notes: { type: "array", items: { type: "string" } },
          contact: { type: "object", properties: { email: { type: "string" }, phone: { type: "string" } } },
          anything: { description: "Any further details" },
        },
        required: ["name"],
      };
      const annotations = { title: "", readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true };
      const tool = { name: "everyKind", title: "Every kind", description: "Takes everything.", effect: "write", level: 2, inputSchema };
      await page.route("**/api/tenant/tools", (route) => route.fulfill({ json: [{ ...tool, annotations }] }));
      await openConsole(page, "everyKind");
      await panelOf(page).getByText("Description for agents").click();
      await run(page);
      await reads(panelOf(page), /Is required/);
    },
  },
  {
    name: "a question before a tool changes something",
    as: asTenant,
    refused: ["422 POST /api/tenant/tools/sendSMS"],
    arrange: async (page) => {
      const refusal = { error: "Please confirm that you mean it.", code: "confirmation_required", requestId: "0123456789abcdef" };
      await page.route("**/api/tenant/tools/sendSMS", (route) => route.fulfill({ status: 422, json: refusal }));
      await openConsole(page, "sendSMS");
      await run(page);
      await reads(page.getByRole("alertdialog"), /sendSMS\) changes something/);
    },
  },
  {
    name: "a tool that was not run",
    as: asTenant,
    refused: ["429 POST /api/tenant/tools/getFhirProviders"],
    arrange: async (page) => {
      const refusal = { error: "That were many tests in a minute.", code: "too_many_requests", requestId: "0123456789abcdef" };
      await page.route("**/api/tenant/tools/getFhirProviders", (route) => route.fulfill({ status: 429, json: refusal }));
      await openConsole(page, "getFhirProviders");
      await run(page);
      await reads(panelOf(page).getByRole("alert"), /many tests/);
    },
  },
];
