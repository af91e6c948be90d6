import { fireEvent, within } from "@testing-library/react";
import { erasures, type ErasureDetail } from "@vitaline/contract";
import { describe, expect, test, vi } from "vitest";
import { formatMoment } from "../../../web/src/lib/format/times.ts";
import { inDays } from "../../kit/screen/demo-answers.ts";
import { certificate, copy, copyUrl, emptyLogs, erasure, idOf, keepErasures, noCounts } from "../../kit/screen/erasures.ts";
import { refusal, type FakeApi } from "../../kit/screen/fake-api.ts";
import {
  asSystem,
  button,
  described,
  dialog,
  dialogOpened,
  eventually,
  filesHandedOut,
  hasFocus,
  holdTime,
  reads,
  region,
  textOf,
} from "../../kit/screen/visit.tsx";

const progress = (): HTMLElement => within(dialog()).getByRole("region", { name: "Progress" });
const part = (name: string): HTMLElement | null => within(dialog()).queryByRole("region", { name });

const open = async (one: ErasureDetail, arrange: (api: FakeApi) => void = () => {}) => {
  let kept: ReturnType<typeof keepErasures> | undefined;
  const opened = await asSystem("/admin?tab=audit", {
    before: (api) => {
      emptyLogs(api);
      kept = keepErasures(api, [one]);
      arrange(api);
    },
  });
  await opened.user.click(within(region("Erasures")).getByRole("button", { name: /^Open / }));
  await dialogOpened();
  return { ...opened, kept: kept! };
};
const looks = (api: FakeApi): number => api.received(erasures.getErasure).length;

describe("the copy", () => {
  const linksOpened = (): string[] => {
    const links: string[] = [];
    vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function (this: HTMLAnchorElement) {
      links.push(this.href);
    });
    return links;
  };

  const written = { status: "done", copy, finishedAt: inDays(-0.1) } as const;

  test("C06: is linked only when it is asked for, and then downloaded", async () => {
    const { api, user } = await open(erasure(1, written));
    const links = linksOpened();
    expect(described("Lines", dialog())).toBe("1,234");
    expect(described("Size", dialog())).toBe("45.6 KB");
    expect(api.received(erasures.getErasure).map(({ query }) => query.withCopy)).toEqual([undefined]);
    expect(textOf(part("Copy")!)).toContain("Each download is written to the audit log.");
    await user.click(button("Download copy", dialog()));
    await eventually(() => expect(links).toEqual([copyUrl]));
    expect(api.received(erasures.getErasure).map(({ query }) => query.withCopy)).toEqual([undefined, true]);
  });

  test("C06: of several files is downloaded part by part", async () => {
    const { user } = await open(erasure(1, { ...written, copy: { ...copy, files: 2 } }), (api) =>
      api.on(erasures.getErasure, ({ query }) => ({
        ...erasure(1, { ...written, copy: { ...copy, files: 2 } }),
        copyUrls: query.withCopy ? [copyUrl, `${copyUrl}2`] : null,
      })),
    );
    const links = linksOpened();
    await user.click(button("Download part 2 of 2", dialog()));
    await eventually(() => expect(links).toEqual([`${copyUrl}2`]));
    await user.click(button("Download part 1 of 2", dialog()));
    await eventually(() => expect(links).toEqual([`${copyUrl}2`, copyUrl]));
  });

  test("C06: that cannot be had now says why, and is there to be asked for again", async () => {
    const { api, user } = await open(erasure(1, written));
    const links = linksOpened();
    api.once(erasures.getErasure, () => refusal(503, { error: "The files could not be reached." }));
    await user.click(button("Download copy", dialog()));
    await reads(() => within(dialog()).queryByRole("alert"), "The files could not be reached.");
    await user.click(button("Download copy", dialog()));
    await eventually(() => expect(links).toEqual([copyUrl]));
    expect(within(dialog()).queryByRole("alert")).toBeNull();
  });

  test("C06: says when it is written, that there is none, or that it is gone", async () => {
    for (const [change, words] of [
      [{}, "It is written when the erasure begins, and kept for 7 days."],
      [{ status: "exporting" }, "It is being written."],
      [{ status: "cancelled", finishedAt: inDays(-0.5) }, "There is no copy."],
      [{ ...written, copy: { ...copy, expiresAt: inDays(-1) } }, "The copy was deleted."],
    ] as const) {
      await open(erasure(1, change));
      expect(textOf(part("Copy")!)).toBe(`Copy ${words}`);
      expect(within(dialog()).queryByRole("button", { name: /Download copy/ })).toBeNull();
    }
  });

  test("C06: that went meanwhile is told to be gone", async () => {
    const { kept, user } = await open(erasure(1, written));
    kept.change(idOf(1), { copy: null });
    await user.click(button("Download copy", dialog()));
    await reads(() => part("Copy"), "There is no copy.");
    await hasFocus(progress);
    expect(within(dialog()).queryByRole("button", { name: /Download/ })).toBeNull();
  });
});

describe("whom it is about", () => {
  test("C06: is asked for once, on opening, and stays in sight while it is followed", async () => {
    const goOn = holdTime();
    const { api } = await open(erasure(1, { status: "erasing", kind: "patient", callId: null, patientId: "pat-77", erased: noCounts }));
    expect(textOf(dialog())).toContain("pat-77");
    await goOn(2000);
    await eventually(() => expect(looks(api)).toBe(2));
    expect(api.received(erasures.getErasure).map(({ query }) => query.withSubject)).toEqual([true, undefined]);
    expect(textOf(dialog())).toContain("pat-77");
  });
});

describe("progress", () => {
  /** In a part that screen readers are told the changes of. */
  const told = (): string => textOf(within(progress()).getByRole("status"));

  test("C06: is followed from the copy to the certificate, in one place that screen readers are told of", async () => {
    const goOn = holdTime();
    const { api, kept } = await open(erasure(1, { approvedAt: inDays(0) }));
    const place = within(progress()).getByRole("status");
    expect(told()).toContain("It was approved and starts in a moment.");
    await goOn(2000);
    await eventually(() => expect(looks(api)).toBe(2));
    kept.change(idOf(1), { status: "exporting" });
    await goOn(4000);
    await reads(progress, "A copy of what will be erased is being written.");
    kept.change(idOf(1), { status: "erasing", erased: { ...noCounts, calls: 3, toolRuns: 1200 } });
    await goOn(2000);
    await reads(progress, "Data is being erased: 1,203 records so far.");
    kept.change(idOf(1), { erased: { ...noCounts, calls: 3, toolRuns: 2400 } });
    await goOn(2000);
    await reads(progress, "2,403 records so far");
    kept.change(idOf(1), { status: "done", finishedAt: inDays(0), backupsGoneAt: inDays(35), certificate });
    await goOn(4000);
    await reads(progress, `Everything was erased. Backups will be deleted ${formatMoment(inDays(35))}`);
    expect(within(progress()).getByRole("status")).toBe(place);
    expect(button("Download certificate", dialog())).toBeTruthy();
    expect(textOf(region("Erasures").querySelector("tbody tr")!)).toContain("Done");
    const asked = looks(api);
    await goOn(120_000);
    expect(looks(api)).toBe(asked);
  });

  test("C06: of an erasure that waits, is done or was canceled is not asked for", async () => {
    const goOn = holdTime();
    for (const status of ["waiting", "done", "cancelled"] as const) {
      const { api } = await open(erasure(1, { status }));
      await goOn(120_000);
      expect(looks(api)).toBe(1);
    }
  });

  test("C06: goes on through failures that pass, ends with a refusal, and is followed again when asked to", async () => {
    const goOn = holdTime();
    const { api, kept, user } = await open(erasure(1, { status: "erasing" }));
    api.once(erasures.getErasure, () => refusal(503));
    await goOn(2000);
    await eventually(() => expect(looks(api)).toBe(2));
    expect(told()).not.toContain("Try again later");
    api.once(erasures.getErasure, () => refusal(404, { error: "There is no such erasure.", code: "not_found" }));
    await goOn(4000);
    await reads(progress, "There is no such erasure.");
    kept.change(idOf(1), { status: "done", finishedAt: inDays(0) });
    await user.click(button("Resume updates", dialog()));
    await goOn(2000);
    await reads(progress, "Everything was erased.");
  });

  test("C06: stops with the dialog, and is told to take long after a quarter of an hour", async () => {
    const goOn = holdTime();
    const { api, user } = await open(erasure(1, { status: "erasing" }));
    for (let ask = 0; ask < 33; ask++) {
      // An active user is not signed out.
      fireEvent.keyDown(window, { key: "Shift" });
      await goOn(30_000);
    }
    await reads(progress, "This is taking a while. It continues even if you close this dialog.");
    await user.click(button("Resume updates", dialog()));
    await user.click(button("Close", dialog()));
    const asked = looks(api);
    await goOn(120_000);
    expect(looks(api)).toBe(asked);
  });
});

describe("what was erased", () => {
  const done = erasure(1, {
    ...{ status: "done", finishedAt: inDays(-40), backupsGoneAt: inDays(-5), certificate },
    erased: { ...noCounts, calls: 1, toolRuns: 12, files: 2 },
  });

  test("C06: is counted by kind, and it says when the backups are gone, too", async () => {
    await open(done);
    expect(textOf(part("Erased")!)).toBe("Erased Calls 1 Tool runs 12 Files of conversations 2");
    expect(textOf(progress())).toContain("Everything was erased, including backups.");
    expect(described("Backups deleted", dialog())).toContain(formatMoment(inDays(-5)));
    await open({ ...done, erased: noCounts });
    expect(textOf(part("Erased")!)).toContain("There was nothing to erase.");
  });

  test("C06: is certified by a file with the signature, the key and how to verify it", async () => {
    const { user } = await open(done);
    const files = filesHandedOut();
    await user.click(button("Download certificate", dialog()));
    expect(files.map(({ name }) => name)).toEqual([`erasure-certificate-${idOf(1)}.json`]);
    const held = JSON.parse(await files[0]!.text()) as Record<string, unknown>;
    expect(held).toEqual({ ...certificate, howToVerify: expect.stringContaining("RS256") });
    expect(textOf(part("Certificate")!)).toContain("compares it with the platform's own key");
    expect(within(dialog()).getByRole("region", { name: "Certificate (JWS)" }).textContent).toBe(certificate.jws);
  });

  test("C06: has no certificate before it is done", async () => {
    await open(erasure(1));
    expect(part("Certificate")).toBeNull();
    expect(part("Erased")).toBeNull();
  });
});
