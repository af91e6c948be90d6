import { screen, within } from "@testing-library/react";
import { dashboard, type OperatorRequest, operatorRequests } from "@vitaline/contract";
import { describe, expect, test } from "vitest";
import { demo } from "../../kit/screen/demo-answers.ts";
import { type FakeApi, refusal } from "../../kit/screen/fake-api.ts";
import {
  asSystem,
  button,
  dialog,
  dialogOpened,
  eventually,
  fill,
  labeled,
  reads,
  region,
  textOf,
  toast,
} from "../../kit/screen/visit.tsx";

const { listOperatorRequests, answerRequest } = operatorRequests;
const asked: OperatorRequest = {
  ...{ id: "01hzzzzzzzzzzzzzzzzzzzzzr1", createdAt: "2026-05-04T09:00:00.000Z", kind: "plan", status: "open" },
  ...{ message: "More minutes, please.", requestedBy: "Ann Lee", email: "ann@clinic.example", answers: [], version: 1 },
  ...{ tenantId: "01hzzzzzzzzzzzzzzzzzzzzzt1", tenantName: "Lakeside" },
};
const taken: OperatorRequest = {
  ...{ ...asked, status: "in_progress", version: 2 },
  answers: [{ at: "2026-05-05T09:00:00.000Z", from: "platform", status: "in_progress", note: "I have it.", by: "Olga Ops" }],
};

const open = async (before: (api: FakeApi) => void) => {
  const visit = await asSystem("/admin?tab=audit", {
    before: (api) => {
      api.on(listOperatorRequests, () => [asked]);
      before(api);
    },
  });
  expect(visit.api.received(listOperatorRequests)).toEqual([]);
  await visit.user.click(button("Show requests"));
  await visit.user.click(await within(region("Requests")).findByText("Lakeside · Plan"));
  return visit;
};

describe("requests of organizations in the console", () => {
  test("are counted at their panel before they are read, and again after an answer", async () => {
    const metrics = demo("system_admin", dashboard.platformMetrics);
    let openRequests = 2;
    const { api, user } = await open((one) => {
      one.on(dashboard.platformMetrics, () => ({ ...metrics, waiting: { ...metrics.waiting, openRequests } }));
      one.on(answerRequest, () => ({ ...taken, status: "done" as const }));
    });
    expect(textOf(region("Requests"))).toMatch(/^Requests 2 open/);
    await user.click(button(/^Change status/));
    await dialogOpened();
    await user.selectOptions(labeled<HTMLSelectElement>("Status"), "Done");
    openRequests = 1;
    await user.click(button("Save", dialog()));
    await reads(() => region("Requests"), /^Requests 1 open/);
    expect(api.received(answerRequest)).toHaveLength(1);
  });

  test("show what the organization replied", async () => {
    const reply = { at: "2026-05-06T09:00:00.000Z", from: "organization", status: "open", note: "Thousand.", by: "Bo Day" } as const;
    await open((one) => one.on(listOperatorRequests, () => [{ ...taken, status: "open" as const, answers: [...taken.answers, reply] }]));
    expect(textOf(region("Requests"))).toMatch(/Olga Ops: In progress, .* I have it\. Bo Day replied, .* Thousand\./);
  });

  test("are answered with a status and a note, by the version that was seen", async () => {
    const { api, user } = await open((one) => one.on(answerRequest, () => taken));
    await user.click(button(/^Change status/));
    await dialogOpened();
    await user.selectOptions(labeled<HTMLSelectElement>("Status"), "In progress");
    fill("Note", "I have it.");
    await user.click(button("Save", dialog()));
    await reads(toast, /Request updated Ann Lee is notified by email\./);
    expect(api.received(answerRequest)).toMatchObject([
      { params: { tenantId: asked.tenantId, requestId: asked.id }, body: { status: "in_progress", note: "I have it." }, ifMatch: 1 },
    ]);
    await eventually(() => expect(textOf(region("Requests"))).toMatch(/Olga Ops: In progress, .* I have it\./));
  });

  test("are declined with a reason only", async () => {
    const { api, user } = await open(() => {});
    await user.click(button(/^Change status/));
    await dialogOpened();
    await user.selectOptions(labeled<HTMLSelectElement>("Status"), "Declined");
    await user.click(button("Save", dialog()));
    await reads(dialog, "Say why it is declined");
    expect(api.received(answerRequest)).toEqual([]);
  });

  test("keep the note when a colleague was faster, and are saved on top of theirs", async () => {
    const { api, user } = await open((one) => {
      one.on(answerRequest, () => ({ ...taken, version: 3 }));
      one.once(answerRequest, () => refusal(409, { code: "stale_version", error: "This was changed by another user in the meantime." }));
    });
    await user.click(button(/^Change status/));
    await dialogOpened();
    fill("Note", "Mine.");
    api.on(listOperatorRequests, () => [taken]);
    await user.click(button("Save", dialog()));
    await reads(dialog, /changed by another user/);
    await eventually(() => expect(textOf(region("Requests"))).toContain("I have it."));
    expect(labeled<HTMLTextAreaElement>("Note").value).toBe("Mine.");
    await user.click(button("Save", dialog()));
    await eventually(() => expect(api.received(answerRequest).map(({ ifMatch }) => ifMatch)).toEqual([1, 2]));
    expect(screen.queryByRole("dialog")).toBeNull();
  });
});
