import { screen, within } from "@testing-library/react";
import { erasures, type ErasureDetail } from "@vitaline/contract";
import { describe, expect, test } from "vitest";
import { inDays } from "../../kit/screen/demo-answers.ts";
import { emptyLogs, erasure, idOf, keepErasures, lakeside, own, riverside } from "../../kit/screen/erasures.ts";
import { sandboxEhr } from "../../kit/screen/platform-ehr.ts";
import { refusal, type FakeApi } from "../../kit/screen/fake-api.ts";
import {
  asSystem,
  button,
  described,
  dialog,
  dialogOpened,
  eventually,
  hasFocus,
  isGone,
  reads,
  region,
  saysWhenRefused,
  saysWhileLoading,
  settled,
  textOf,
  toast,
} from "../../kit/screen/visit.tsx";

const address = "/admin?tab=audit";
const panel = () => region("Erasures");
const rows = (): string[] => [...panel().querySelectorAll("tbody tr")].map(textOf);
const question = () => screen.getByRole("alertdialog");
const progress = (): HTMLElement => within(dialog()).getByRole("region", { name: "Progress" });

type Arranged = { perPage?: number; arrange?: (api: FakeApi) => void };

const openList = async (list: readonly ErasureDetail[], { perPage = 10, arrange }: Arranged = {}) => {
  let kept: ReturnType<typeof keepErasures> | undefined;
  const opened = await asSystem(address, {
    before: (api) => {
      emptyLogs(api);
      kept = keepErasures(api, list, perPage);
      arrange?.(api);
    },
  });
  return { ...opened, kept: kept! };
};
/** The newest of these, opened from the list. */
const openFirst = async (list: readonly ErasureDetail[], arrange?: (api: FakeApi) => void) => {
  const opened = await openList(list, { ...(arrange && { arrange }) });
  await opened.user.click(within(panel()).getAllByRole("button", { name: /^Open / })[0]!);
  await dialogOpened();
  return opened;
};

describe("the list of erasures", () => {
  test("C06: says of each what it erases, of whom, how far it is, who asked for it, and when it starts or ended", async () => {
    await openList([
      erasure(1),
      erasure(2, { kind: "patient", callId: null, tenantId: lakeside.id, tenantName: lakeside.name, status: "exporting" }),
      erasure(3, { kind: "tenant", callId: null, status: "erasing", requestedBy: own.id, requestedByName: "System Administrator" }),
      erasure(4, { status: "done", finishedAt: inDays(-1), requestedByName: null }),
      erasure(5, { status: "cancelled", finishedAt: inDays(-2) }),
    ]);
    const time = "[A-Z][a-z]{2} \\d+, \\d+:\\d\\d [AP]M";
    expect(rows()).toEqual([
      expect.stringMatching(new RegExp(`^One call ${riverside.name} Waiting Olga Other ${time} Starts ${time} Open`)),
      expect.stringMatching(new RegExp(`^A patient's data ${lakeside.name} Writing a copy Olga Other ${time} Under way Open`)),
      expect.stringMatching(new RegExp(`^Whole organization ${riverside.name} Erasing You ${time} Under way Open`)),
      expect.stringMatching(new RegExp(`^One call ${riverside.name} Done Deleted account ${time} Finished ${time} Open`)),
      expect.stringMatching(new RegExp(`^One call ${riverside.name} Canceled Olga Other ${time} Canceled ${time} Open`)),
    ]);
  });

  test("C06: says what erasures are for while there are none", async () => {
    await openList([]);
    expect(textOf(panel())).toMatch(/No erasures When a contract ends, a patient asks, or something was recorded in error/);
    expect(button("Erase data…", panel()).getAttribute("aria-haspopup")).toBe("dialog");
  });

  test("C06: comes page by page, and a change of one row leaves the pages that were read", async () => {
    const list = Array.from({ length: 5 }, (_, at) => erasure(at + 1));
    const { api, user } = await openList(list, { perPage: 2 });
    expect(textOf(panel())).toContain("2 erasures shown");
    for (const said of ["4 erasures shown", "5 erasures shown, that is all"]) {
      await user.click(button("Load more", panel()));
      await reads(panel, said);
    }
    expect(api.received(erasures.listErasures).map(({ query }) => query.cursor)).toEqual([undefined, "2", "4"]);
    await user.click(within(panel()).getAllByRole("button", { name: /^Open / })[4]!);
    await dialogOpened();
    await user.click(button("Cancel erasure", dialog()));
    await user.click(button("Cancel erasure", question()));
    await reads(progress, "It was canceled");
    await user.click(button("Close", dialog()));
    await isGone("dialog");
    expect(rows().map((row) => row.includes("Canceled"))).toEqual([false, false, false, false, true]);
  });

  test("C06: says what is on its way, and when it does not load why, with another try", async () => {
    expect(await saysWhileLoading(address, erasures.listErasures, "Erasures")).toBe("Loading erasures...");
    expect(await saysWhenRefused(address, erasures.listErasures, "Erasures")).toContain("Failed to fetch erasures");
  });
});

describe("an erasure", () => {
  test("C06: opens with its facts and its next step, and gives the focus back to its row", async () => {
    const { user } = await openFirst([erasure(1)]);
    expect(textOf(dialog())).toMatch(new RegExp(`^Erasure of one call ${riverside.name}`));
    expect(textOf(progress())).toMatch(/Waiting It starts [A-Z].* or as soon as a second administrator approves it\./);
    expect(described("Call ID", dialog())).toBe("a1".repeat(20));
    expect(described("Reason", dialog())).toBe("Recorded in error");
    expect(described("Requested by", dialog())).toBe("Olga Other");
    await user.keyboard("{Escape}");
    await isGone("dialog");
    await hasFocus(() => within(panel()).getByRole("button", { name: /^Open One call/ }));
  });

  test("C06: of a patient names the record system and the patient's id there", async () => {
    const fhirProviderId = sandboxEhr.id;
    await openFirst([erasure(1, { kind: "patient", callId: null, fhirProviderId, patientId: "pat-77", reason: "patient_request" })]);
    expect(described("Record system", dialog())).toBe("Sandbox EHR");
    expect(described("Patient ID", dialog())).toBe("pat-77");
    expect(described("Reason", dialog())).toBe("Patient's request");
  });

  test("C06: that is gone or not to be read says so, and can be asked for again", async () => {
    const { user } = await openFirst([erasure(1)], (api) =>
      api.once(erasures.getErasure, () => refusal(503, { error: "The database could not be reached." })),
    );
    const alert = within(dialog()).getByRole("alert");
    expect(textOf(alert)).toMatch(/Failed to load the erasure The database could not be reached\. Request ID: 0123456789abcdef/);
    await user.click(button("Retry", alert));
    await reads(dialog, "Olga Other");
  });
});

describe("approval", () => {
  test("C06: is given by a second administrator, after being told what is destroyed, what stays, and that it is for good", async () => {
    const { api, user } = await openFirst([erasure(1)]);
    await user.click(button("Approve", dialog()));
    await hasFocus(() => button("Cancel", question()));
    const text = textOf(question());
    expect(text).toMatch(new RegExp(`Destroyed at ${riverside.name}: What was said .* Leads, tasks and messages that came from it`));
    expect(text).toMatch(
      /What stays: The audit log: it holds IDs and what was done, but no content The record system: nothing in it is changed Short-lived technical records, which are deleted automatically within 30 days When calls were .* Opt-outs: who asked not to receive messages/,
    );
    expect(text).toMatch(/This cannot be undone\./);
    await user.dblClick(button("Approve and erase", question()));
    await isGone("alertdialog");
    expect(api.received(erasures.approveErasure).map(({ params }) => params)).toEqual([{ erasureId: idOf(1) }]);
    await reads(toast, "Erasure approved");
    await reads(progress, "A copy of what will be erased is being written.");
    await hasFocus(progress);
    expect(described("Approved by", dialog())).toBe("You");
    expect(screen.queryByRole("button", { name: "Approve" })).toBeNull();
    expect(screen.queryByRole("button", { name: "Cancel erasure" })).toBeNull();
    expect(rows()[0]).toContain("Writing a copy");
  });

  test("C06: is not offered to the person who asked, who is told why", async () => {
    await openFirst([erasure(1, { requestedBy: own.id })]);
    expect(described("Requested by", dialog())).toBe("You");
    expect(textOf(dialog())).toContain("You requested this erasure, so a second administrator has to approve it.");
    expect(within(dialog()).queryByRole("button", { name: "Approve" })).toBeNull();
    expect(button("Cancel erasure", dialog())).toBeTruthy();
  });

  test("C06: is not offered before the copy is written, nor once the erasure is due", async () => {
    await openFirst([erasure(1, { status: "exporting", copy: null })]);
    expect(textOf(progress())).toContain("A copy of what will be erased is being written.");
    expect(within(dialog()).queryByRole("button", { name: "Approve" })).toBeNull();
    await openFirst([erasure(1, { startsAt: inDays(-0.01) })]);
    expect(textOf(progress())).toContain("The waiting period is over.");
    expect(within(dialog()).queryByRole("button", { name: "Approve" })).toBeNull();
  });

  test("C06: of what another person has canceled meanwhile is refused, and what it is now is shown", async () => {
    const { api, kept, user } = await openFirst([erasure(1)]);
    await user.click(button("Approve", dialog()));
    api.on(erasures.approveErasure, () => {
      kept.change(idOf(1), { status: "cancelled", finishedAt: inDays(0) });
      return refusal(409, { error: "The erasure was canceled.", code: "conflict" });
    });
    await user.click(button("Approve and erase", question()));
    await isGone("alertdialog");
    await reads(() => within(dialog()).queryByRole("alert"), "The erasure was canceled.");
    await reads(progress, "It was canceled. Nothing was erased.");
    await hasFocus(progress);
    expect(screen.queryByRole("button", { name: "Approve" })).toBeNull();
    expect(rows()[0]).toContain("Canceled");
  });

  test("C06: that the server cannot take now says so in the question, and can be tried again", async () => {
    const { api, user } = await openFirst([erasure(1)]);
    api.once(erasures.approveErasure, () => refusal(503, { error: "The database could not be reached." }));
    await user.click(button("Approve", dialog()));
    await user.click(button("Approve and erase", question()));
    await reads(() => within(question()).queryByRole("alert"), "The database could not be reached.");
    await eventually(() => expect(api.received(erasures.getErasure).length).toBe(2));
    await user.click(button("Approve and erase", question()));
    await reads(progress, "A copy of what will be erased is being written.");
    expect(api.received(erasures.approveErasure)).toHaveLength(2);
  });
});

describe("canceling", () => {
  test("C06: asks first, leaves it as it is unless told, and shows in the list", async () => {
    const { api, user } = await openFirst([erasure(1, { requestedBy: own.id })]);
    await user.click(button("Cancel erasure", dialog()));
    expect(textOf(question())).toContain("Nothing is erased.");
    await user.click(button("Keep it", question()));
    await isGone("alertdialog");
    await hasFocus(() => button("Cancel erasure", dialog()));
    expect(api.received(erasures.cancelErasure)).toEqual([]);
    await user.click(button("Cancel erasure", dialog()));
    await user.click(button("Cancel erasure", question()));
    await reads(progress, "It was canceled. Nothing was erased.");
    await hasFocus(progress);
    expect(api.received(erasures.cancelErasure).map(({ params }) => params)).toEqual([{ erasureId: idOf(1) }]);
    await reads(toast, "Erasure canceled");
    expect(rows()[0]).toContain("Canceled");
    await settled();
  });
});
