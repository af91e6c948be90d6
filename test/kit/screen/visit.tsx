import { getConfig } from "@testing-library/dom";
import { cleanup, configure, fireEvent, render, screen, within } from "@testing-library/react";
import userEvent, { type UserEvent } from "@testing-library/user-event";
import { type Me, type Role, type Route, sessions } from "@vitaline/contract";
import * as react from "react";
import { BrowserRouter } from "react-router-dom";
import { afterEach, beforeEach, expect, vi } from "vitest";
import { stopAllAsking, watchLeaving } from "../../../web/src/lib/routing/unsaved-changes.ts";
import { ConfigMemory } from "../../../web/src/lib/api/public-config.ts";
import { Site } from "../../../web/src/app/site.tsx";
import { forgetDismissed, toaster } from "../../../web/src/lib/toast.ts";
import { demoHandlers, demoUser, recordedAt } from "./demo-answers.ts";
import { type FakeApi, openFakeApi, refusal } from "./fake-api.ts";

configure({ asyncUtilTimeout: 10_000, getElementError: (message) => new Error(message ?? "") });

const always = (value: unknown): PropertyDescriptor => ({ configurable: true, get: () => value, set: () => {} });
/** Testing Library's list of all roles is slow and would be built on every failed wait; each of its own waits turns it on again. */
Object.defineProperty(getConfig(), "_disableExpensiveErrorDiagnostics", always(true));
/** React stops taking a stack trace of each element, for its warnings, once it has taken very many; they are complete without. */
const { __CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE: internals } = react as unknown as Record<string, object>;
Object.defineProperty(internals, "recentlyCreatedOwnerStacks", always(Number.POSITIVE_INFINITY));

/** Without layout only an element's own style hides it; style sheets are tested in the browser. */
const styleOf = (element: Element): CSSStyleDeclaration => {
  const { style } = element as HTMLElement;
  const isHidden = (element as HTMLElement).hidden || (element instanceof HTMLDialogElement && !element.open);
  const display = isHidden ? "none" : style?.display || "block";
  const values: Record<string, string> = { display, visibility: style?.visibility || "visible", pointerEvents: "auto" };
  return new Proxy({} as CSSStyleDeclaration, {
    get: (_, name) => (name === "getPropertyValue" ? (property: string) => values[property] ?? "" : (values[String(name)] ?? "")),
  });
};

/** Innermost last, each with the element focused before it. */
let modals: { dialog: HTMLDialogElement; before: Element | null }[] = [];

function showModal(this: HTMLDialogElement): void {
  modals.push({ dialog: this, before: document.activeElement });
  this.setAttribute("open", "");
  this.querySelector<HTMLElement>("button, input, select, textarea, a[href], [tabindex]")?.focus();
}

function close(this: HTMLDialogElement): void {
  if (!this.open) return;
  this.removeAttribute("open");
  const { before } = modals.find(({ dialog: one }) => one === this) ?? {};
  modals = modals.filter(({ dialog: one }) => one !== this);
  if (before?.isConnected) (before as HTMLElement).focus();
  queueMicrotask(() => this.dispatchEvent(new Event("close")));
}

const cancelByEscape = ({ key }: KeyboardEvent): void => {
  const inner = modals.at(-1)?.dialog;
  if (key === "Escape" && inner?.dispatchEvent(new Event("cancel", { cancelable: true }))) inner.close();
};

/** happy-dom does not know the search element. */
const isOfSearchElement = (complaint: string): boolean => /^The tag <%s> is unrecognized.* search$/.test(complaint);

/** react-hook-form drops a select's default without these when it changes before the form is ready. */
Object.defineProperty(HTMLSelectElement.prototype, "size", { configurable: true, get: () => 0 });
Object.defineProperty(HTMLOptionElement.prototype, "defaultSelected", {
  configurable: true,
  get(this: HTMLOptionElement): boolean {
    return this.hasAttribute("selected");
  },
});

let complaints: string[] = [];
let api: FakeApi | undefined;
watchLeaving();

/** Called by setup.ts: a module shared by several files would register hooks for the first one only. */
export function frameEachTest(): void {
  beforeEach(() => {
    complaints = [];
    vi.useFakeTimers({ toFake: ["Date"], now: recordedAt });
    vi.stubGlobal("getComputedStyle", styleOf);
    window.getComputedStyle = styleOf;
    for (const kind of ["error", "warn"] as const)
      vi.spyOn(console, kind).mockImplementation((...said: unknown[]) => void complaints.push(said.map(String).join(" ").slice(0, 400)));
    for (const name of ["showPopover", "hidePopover"] as const) HTMLElement.prototype[name] ??= () => {};
    vi.spyOn(HTMLDialogElement.prototype, "showModal").mockImplementation(showModal);
    vi.spyOn(HTMLDialogElement.prototype, "close").mockImplementation(close);
    document.addEventListener("keydown", cancelByEscape);
  });

  afterEach(() => {
    cleanup();
    modals = [];
    document.removeEventListener("keydown", cancelByEscape);
    toaster.remove();
    forgetDismissed();
    stopAllAsking();
    localStorage.clear();
    sessionStorage.clear();
    document.body.replaceChildren();
    vi.restoreAllMocks();
    vi.unstubAllGlobals();
    vi.useRealTimers();
    const problems = [...(api?.problems ?? []), ...complaints.filter((complaint) => !isOfSearchElement(complaint))];
    api = undefined;
    if (problems.length > 0) throw new Error(problems.join("\n"));
  });
}

export type Screen = { api: FakeApi; user: UserEvent; me: Me | undefined };

/** Rejects for a promised text that fails, as browsers do. */
const writeClipboard = async ([item]: ClipboardItem[]): Promise<void> => {
  const text = await item?.getType("text/plain");
  await navigator.clipboard.writeText((await text?.text()) ?? "");
};

type Visit = {
  as?: Role;
  me?: Partial<Me>;
  before?: (api: FakeApi) => void;
};

/** Renders an address over a fake API with the demo data and waits until it is idle. Unmounts the former page. */
export async function visit(address: string, { as, me: change = {}, before }: Visit = {}): Promise<Screen> {
  const me = as && { ...demoUser(as), ...change };
  complaints.push(...(api?.problems ?? []));
  const opened = openFakeApi(demoHandlers(as ?? "tenant_admin"));
  cleanup();
  api = opened;
  if (me) {
    localStorage.setItem("auth_token", "a-session");
    opened.on(sessions.me, () => me);
  }
  before?.(opened);
  history.replaceState(null, "", address);
  await reload();
  const user = userEvent.setup({ delay: null });
  vi.spyOn(navigator.clipboard, "write").mockImplementation(writeClipboard);
  return { api: opened, user, me };
}

export const asTenant = (address: string, options: Omit<Visit, "as"> = {}): Promise<Screen> =>
  visit(address, { as: "tenant_admin", ...options });
export const asSystem = (address: string, options: Omit<Visit, "as"> = {}): Promise<Screen> =>
  visit(address, { as: "system_admin", ...options });

const isLoading = (): boolean =>
  (api?.waiting() ?? 0) > 0 ||
  document.querySelector("h1") === null ||
  document.querySelector("[aria-busy=true]") !== null ||
  [...document.querySelectorAll("output, [role=status]")].some(({ textContent }) => /^(Loading|Checking)/.test(textContent));

const stopsLoading = (): void => {
  if (isLoading())
    throw new Error(`${api?.waiting()} answers are on their way to a page that says: ${textOf(document.body).slice(0, 500)}`);
};

/** Waits until no request, lazy import or transition is pending. */
export async function settled(): Promise<void> {
  const arrived = () => vi.waitFor(stopsLoading, { timeout: 25_000, interval: 5 });
  await arrived();
  await vi.dynamicImportSettled();
  await arrived();
}

type Name = string | RegExp;
type Within = HTMLElement | undefined;
const inside = (part: Within) => (part ? within(part) : screen);

export const button = (name: Name, part?: HTMLElement): HTMLElement => inside(part).getByRole("button", { name });
export const link = (name: Name, part?: HTMLElement): HTMLElement => inside(part).getByRole("link", { name });
export const tab = (name: Name, part?: HTMLElement): HTMLElement => inside(part).getByRole("tab", { name });
export const region = (name: Name): HTMLElement => screen.getByRole("region", { name });
export const article = (name: Name, part?: HTMLElement): HTMLElement => inside(part).getByRole("article", { name });
export const dialog = (): HTMLElement => screen.getByRole("dialog");
export const toast = (): HTMLElement => screen.getByRole("region", { name: /^(?!Recent ).*notifications/i });

const inline = new Set([
  "A",
  "ABBR",
  "B",
  "CODE",
  "EM",
  "I",
  "KBD",
  "MARK",
  "S",
  "SMALL",
  "SPAN",
  "STRONG",
  "SUB",
  "SUP",
  "SVG",
  "TIME",
  "WBR",
]);

const followsElement = ({ previousSibling }: Node): boolean => previousSibling instanceof Element && previousSibling.tagName !== "WBR";

export function textOf(part: Node): string {
  const read = (node: Node): string => {
    if (node.nodeType === Node.TEXT_NODE) return node.textContent ?? "";
    if (
      node instanceof HTMLElement &&
      (node.hidden || node.getAttribute("aria-hidden") === "true" || ["STYLE", "SCRIPT"].includes(node.tagName))
    )
      return "";
    const text = [...node.childNodes].map((child) => (followsElement(child) ? ` ${read(child)}` : read(child))).join("");
    return node instanceof Element && inline.has(node.tagName.toUpperCase()) ? text : ` ${text} `;
  };
  return read(part).replaceAll(/\s+/g, " ").trim();
}

export async function reads(part: HTMLElement | (() => HTMLElement | null), text: Name): Promise<void> {
  const now = typeof part === "function" ? part : () => part;
  await vi.waitFor(
    () => {
      const said = textOf(now() ?? document.createElement("p"));
      if (typeof text === "string") expect(said).toContain(text);
      else expect(said).toMatch(text);
    },
    { timeout: 10_000, interval: 5 },
  );
}

export const eventually = (expectation: () => void | Promise<void>): Promise<void> =>
  vi.waitFor(expectation, { timeout: 10_000, interval: 5 });

export const described = (term: Name, part?: HTMLElement): string => {
  const found = inside(part).getAllByText(term, { selector: "dt" })[0];
  return textOf(found?.nextElementSibling ?? document.createElement("dd"));
};

export const labeled = <T extends HTMLElement = HTMLInputElement>(label: Name, part?: HTMLElement): T =>
  inside(part).getByLabelText<T>(
    typeof label === "string" ? new RegExp(`^${label.replaceAll(/[$()*+.?[\\\]^{|}]/g, "\\$&")} ?(\\(optional\\))?$`) : label,
  );

export const fill = (label: Name, value: string, part?: HTMLElement): boolean =>
  fireEvent.change(labeled(label, part), { target: { value } });

export const hasFocus = (element: () => HTMLElement): Promise<void> =>
  eventually(() => {
    const focused = document.activeElement;
    if (focused !== element()) throw new Error(`The focus is at ${focused?.tagName}: ${textOf(focused ?? document.createElement("p"))}`);
  });

const selectors = { dialog: "dialog[open]:not([role])", alertdialog: "dialog[open][role=alertdialog]", alert: "[role=alert]" };

export const isGone = (role: keyof typeof selectors): Promise<void> =>
  eventually(() => expect(document.querySelectorAll(selectors[role]).length).toBe(0));

export async function dialogOpened(): Promise<HTMLElement> {
  await eventually(() => expect(document.querySelectorAll(selectors.dialog).length).toBe(1));
  await settled();
  return dialog();
}

export async function showTab(user: UserEvent, name: Name): Promise<void> {
  const chosen = tab(name);
  await user.click(chosen);
  await eventually(() => {
    const panel = document.getElementById(chosen.getAttribute("aria-controls") ?? "");
    expect([chosen.getAttribute("aria-selected"), panel?.hidden, panel?.childNodes.length !== 0]).toEqual(["true", false, true]);
  });
  await settled();
}

export async function saysWhileLoading(address: string, route: Route, panel: string | (() => HTMLElement)): Promise<string> {
  const part = typeof panel === "string" ? () => region(panel) : panel;
  let release = () => {};
  let isAsked = () => false;
  const opening = asSystem(address, {
    before: (opened) => {
      ({ release } = opened.hold(route));
      isAsked = () => opened.received(route).length > 0;
    },
  });
  const said = (): string[] => [...part().querySelectorAll("output")].map(textOf).filter((text) => text.endsWith("..."));
  await eventually(() => expect([isAsked(), said().length]).toEqual([true, 1]));
  const [text = ""] = said();
  release();
  await opening;
  await eventually(() => expect(said()).toEqual([]));
  return text;
}

export async function saysWhenRefused(address: string, route: Route, panel: string): Promise<string> {
  const error = "The database could not be reached.";
  const { api: asked, user } = await asSystem(address, { before: (opened) => opened.once(route, () => refusal(503, { error })) });
  const alert = within(region(panel)).getByRole("alert");
  const text = textOf(alert);
  expect(text).toContain(error);
  await user.click(button("Retry", alert));
  await eventually(() => expect(within(region(panel)).queryByRole("alert")).toBeNull());
  expect(asked.received(route).length).toBe(2);
  return text;
}

export const clipboard = (): Promise<string> => navigator.clipboard.readText();

/** Remounts the page at the current address over the same API; storage stays. */
export async function reload(): Promise<void> {
  cleanup();
  render(
    <ConfigMemory value={{}}>
      <BrowserRouter>
        <Site />
      </BrowserRouter>
    </ConfigMemory>,
  );
  await settled();
}

/** Fakes timers; the returned function advances them. React's own clock stays real, else it would delay later updates. */
export function holdTime(): (milliseconds: number) => Promise<void> {
  vi.useFakeTimers({ now: recordedAt, toFake: ["Date", "setTimeout", "clearTimeout", "setInterval", "clearInterval"] });
  vi.stubGlobal("jest", { advanceTimersByTime: (milliseconds: number) => vi.advanceTimersByTime(milliseconds) });
  return async (milliseconds) => void (await vi.advanceTimersByTimeAsync(milliseconds));
}

export type HandedOut = { name: string; text(): Promise<string> };

export function filesHandedOut(): HandedOut[] {
  const files: HandedOut[] = [];
  const blobs = new Map<string, Blob>();
  vi.spyOn(URL, "createObjectURL").mockImplementation((blob) => {
    const address = `#file-${blobs.size}`;
    blobs.set(address, blob as Blob);
    return address;
  });
  vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function (this: HTMLAnchorElement) {
    const blob = blobs.get(this.getAttribute("href") ?? "");
    if (blob) files.push({ name: this.download, text: () => blob.text() });
  });
  return files;
}
