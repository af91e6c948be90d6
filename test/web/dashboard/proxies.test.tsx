import { screen, within } from "@testing-library/react";
import { proxies, type ApprovedProxy, type ApprovedProxyDetail } from "@vitaline/contract";
import { describe, expect, test } from "vitest";
import { refusal, type FakeApi } from "../../kit/screen/fake-api.ts";
import {
  asTenant,
  button,
  described,
  dialog,
  dialogOpened,
  eventually,
  fill,
  hasFocus,
  isGone,
  labeled,
  reads,
  region,
  textOf,
  toast,
} from "../../kit/screen/visit.tsx";

const people = {
  ...{ name: "Nora Sample", phone: "617 555 0181", patientFirstName: "Robin", patientLastName: "Sample" },
  ...{ patientBirthDate: "2017-03-04", medicalRecordNumber: "MRN4711" },
};
const proxyOf = (number: number, more: Partial<ApprovedProxyDetail> = {}): ApprovedProxyDetail => ({
  id: `01hzzzzzzzzzzzzzzzzzzzzz${String(number).padStart(2, "0")}`,
  createdAt: "2026-11-22T15:00:00.000Z",
  approvedBy: "someone",
  relationship: "parent",
  scope: "all",
  validUntil: "2190-12-31",
  onHold: false,
  version: 1,
  people,
  ...more,
});
const listed = ({ people: _people, ...proxy }: ApprovedProxyDetail): ApprovedProxy => proxy;

/** An API that keeps proxies, the newest first. */
class Proxies {
  all: ApprovedProxyDetail[];
  constructor(...all: ApprovedProxyDetail[]) {
    this.all = all;
  }
  find(id: string): ApprovedProxyDetail | undefined {
    return this.all.find((one) => one.id === id);
  }
  serve(api: FakeApi): void {
    api.on(proxies.listProxies, () => this.all.map(listed));
    api.on(
      proxies.readProxy,
      ({ params }) => this.find(params.proxyId) ?? refusal(404, { error: "There is nothing here.", code: "not_found" }),
    );
    api.on(proxies.approveProxy, ({ body }) => {
      const made = proxyOf(this.all.length + 1, body);
      this.all = [made, ...this.all];
      return listed(made);
    });
    api.on(proxies.changeProxy, ({ params, body, ifMatch }) => {
      const before = this.find(params.proxyId)!;
      if (ifMatch !== before.version) return refusal(409, { error: "It was changed meanwhile.", code: "stale_version" });
      const after = { ...before, ...body, version: before.version + 1 };
      this.all = this.all.map((one) => (one.id === after.id ? after : one));
      return listed(after);
    });
    api.on(proxies.revokeProxy, ({ params }) => void (this.all = this.all.filter(({ id }) => id !== params.proxyId)));
  }
}

const openProxies = (kept: Proxies, before: (api: FakeApi) => void = () => {}) =>
  asTenant("/tenant/proxies", {
    before(api) {
      kept.serve(api);
      before(api);
    },
  });
const panel = (): HTMLElement => region("People Who May Call for a Patient");
const rows = (): HTMLElement[] => [...panel().querySelectorAll<HTMLElement>("tbody tr")];
const opener = (): HTMLElement => within(rows()[0]!).getByRole("button", { name: /^Open person/ });

describe("approving a person", () => {
  test("asks for what is missing, survives an approval that failed, and shows no names in the list", async () => {
    const kept = new Proxies();
    const { api, user } = await openProxies(kept);
    expect(textOf(panel())).toContain("No one is approved yet");
    await user.click(button("Approve a person", panel()));
    await dialogOpened();
    await user.click(button("Approve", dialog()));
    await reads(dialog, /Is required.*Must be a date/);
    fill("Person's phone", "0181", dialog());
    await reads(dialog, "Must be a phone number with its area code");
    expect(api.received(proxies.approveProxy)).toEqual([]);
    fill("Person's full name", people.name, dialog());
    fill("Person's phone", people.phone, dialog());
    fill("Patient's first name", people.patientFirstName, dialog());
    fill("Patient's last name", people.patientLastName, dialog());
    fill("Patient's date of birth", people.patientBirthDate, dialog());
    fill("Medical record number", people.medicalRecordNumber, dialog());
    fill("Last day", "2190-12-31", dialog());
    await user.selectOptions(labeled("Relationship", dialog()), "Spouse");
    await user.selectOptions(labeled("Permissions", dialog()), "Appointments only");
    api.once(proxies.approveProxy, () =>
      refusal(409, { error: "This patient already has twenty approved callers. Revoke one approval first.", code: "not_doable" }),
    );
    await user.click(button("Approve", dialog()));
    await reads(() => within(dialog()).queryByRole("alert"), "twenty approved callers");
    await user.dblClick(button("Approve", dialog()));
    await isGone("dialog");
    const sent = { people, relationship: "spouse", scope: "appointments", validUntil: "2190-12-31" };
    expect(api.received(proxies.approveProxy).map(({ body }) => body)).toEqual([sent, sent]);
    await eventually(() => expect(rows()).toHaveLength(1));
    expect(textOf(rows()[0]!)).toMatch(/Spouse Appointments only Dec 31, 2190 May call Open/);
    expect(textOf(panel())).not.toMatch(/Nora|Robin|MRN4711/);
  });

  test("asks before what was typed is thrown away", async () => {
    const { user } = await openProxies(new Proxies());
    await user.click(button("Approve a person", panel()));
    await dialogOpened();
    fill("Person's full name", "Half", dialog());
    await user.keyboard("{Escape}");
    await reads(() => screen.queryByRole("alertdialog"), "Discard changes?");
    await user.click(button("Keep editing"));
    expect(labeled("Person's full name", dialog()).value).toBe("Half");
  });
});

describe("an approved person", () => {
  test("is read only when opened, and limited, put on hold and revoked there", async () => {
    const kept = new Proxies(proxyOf(1), proxyOf(2, { validUntil: "2020-01-01" }));
    const { api, user } = await openProxies(kept);
    expect(rows().map((row) => /(May call|Expired|On hold) Open/.exec(textOf(row))?.[1])).toEqual(["May call", "Expired"]);
    expect(api.received(proxies.readProxy)).toEqual([]);
    await user.click(opener());
    await dialogOpened();
    expect(textOf(dialog())).toMatch(/Nora Sample.*617 555 0181.*Robin Sample.*Mar 4, 2017.*MRN4711.*A colleague/);
    expect(described("Approved by", dialog())).toBe("A colleague");
    await user.selectOptions(labeled("Permissions", dialog()), "Everything except the medical record");
    await user.click(within(dialog()).getByRole("switch", { name: "On hold" }));
    await user.click(button("Save changes", dialog()));
    await reads(toast, "Approval saved");
    const [change] = api.received(proxies.changeProxy);
    expect([change?.body, change?.ifMatch]).toEqual([{ scope: "no_clinical", onHold: true }, 1]);
    await eventually(() => expect(textOf(rows()[0]!)).toMatch(/Everything except the medical record .* On hold/));

    await user.click(button("Revoke approval", dialog()));
    const asked = await screen.findByRole("alertdialog");
    api.once(proxies.revokeProxy, () => refusal(503, { error: "The database could not be reached." }));
    await user.click(button("Revoke approval", asked));
    await reads(() => within(screen.getByRole("alertdialog")).queryByRole("alert"), "could not be reached");
    await user.click(button("Revoke approval", screen.getByRole("alertdialog")));
    await isGone("dialog");
    await eventually(() => expect(rows()).toHaveLength(1));
    expect(kept.all.map(({ id }) => id)).toEqual([proxyOf(2).id]);
    await hasFocus(() => button("Approve a person", panel()));
  });

  test("that a colleague changed meanwhile is not overwritten", async () => {
    const kept = new Proxies(proxyOf(1));
    const { api, user } = await openProxies(kept);
    await user.click(opener());
    await dialogOpened();
    kept.all = [proxyOf(1, { version: 2, scope: "appointments" })];
    await user.click(within(dialog()).getByRole("switch", { name: "On hold" }));
    await user.click(button("Save changes", dialog()));
    await reads(dialog, /changed.*Permissions/i);
    expect(kept.find(proxyOf(1).id)).toMatchObject({ version: 2, onHold: false });
    expect(api.received(proxies.changeProxy)).toHaveLength(1);
  });

  test("that is gone is not found, and a list that could not be read is asked for again", async () => {
    const kept = new Proxies(proxyOf(1));
    const { user } = await openProxies(kept, (api) =>
      api.once(proxies.listProxies, () => refusal(503, { error: "The database could not be reached." })),
    );
    expect(textOf(within(panel()).getByRole("alert"))).toMatch(/Failed to load approved people/);
    await user.click(button("Retry", panel()));
    await eventually(() => expect(rows()).toHaveLength(1));
    kept.all = [];
    await user.click(opener());
    await dialogOpened();
    await reads(() => within(dialog()).queryByRole("alert"), "Failed to load the approved person");
  });
});
