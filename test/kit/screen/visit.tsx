import { cleanup, configure, render, screen, within } from "@testing-library/react";
import userEvent, { type UserEvent } from "@testing-library/user-event";
import { sessions, type Me, type Role } from "@vitaline/contract";
import { BrowserRouter } from "react-router-dom";
import { afterEach, beforeEach, expect, vi } from "vitest";
import { leaveAllUnasked, watchLeaving } from "../../../web/src/app/leaving.ts";
import { ConfigMemory } from "../../../web/src/app/public-config.ts";
import { Site } from "../../../web/src/app/site.tsx";
import { forgetDismissed } from "../../../web/src/app/dismissed-toasts.ts";
import { toaster } from "../../../web/src/app/toaster.ts";
import { demoHandlers, demoUser, recordedAt } from "./demo-answers.ts";
import { openFakeApi, type FakeApi } from "./fake-api.ts";

configure({ asyncUtilTimeout: 10_000, getElementError: (message) => new Error(message ?? "") });

/** Without layout only what hides by itself is hidden: what a style sheet does is for the browser's tests. */
const styleOf = (element: Element): CSSStyleDeclaration => {
  const { style } = element as HTMLElement;
  const isHidden = (element as HTMLElement).hidden || (element instanceof HTMLDialogElement && !element.open);
  const display = isHidden ? "none" : style?.display || "block";
  const values: Record<string, string> = { display, visibility: style?.visibility || "visible", pointerEvents: "auto" };
  return new Proxy({} as CSSStyleDeclaration, {
    get: (_, name) => (name === "getPropertyValue" ? (property: string) => values[property] ?? "" : (values[String(name)] ?? "")),
  });
};

let complaints: string[] = [];
let api: FakeApi | undefined;
watchLeaving();

beforeEach(() => {
  complaints = [];
  vi.useFakeTimers({ toFake: ["Date"], now: recordedAt });
  vi.stubGlobal("getComputedStyle", styleOf);
  window.getComputedStyle = styleOf;
  for (const kind of ["error", "warn"] as const)
    vi.spyOn(console, kind).mockImplementation((...said: unknown[]) => {
      const complaint = said.map(String).join(" ");
      // Newer than this DOM, known to browsers.
      if (!/^The tag <%s> is unrecognized.* search$/.test(complaint)) complaints.push(complaint.slice(0, 400));
    });
  for (const name of ["showPopover", "hidePopover"] as const) HTMLElement.prototype[name] ??= () => {};
});

afterEach(() => {
  cleanup();
  toaster.remove();
  forgetDismissed();
  leaveAllUnasked();
  localStorage.clear();
  sessionStorage.clear();
  document.body.replaceChildren();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  vi.useRealTimers();
  const problems = [...(api?.problems ?? []), ...complaints];
  api = undefined;
  if (problems.length > 0) throw new Error(problems.join("\n"));
});

export type Screen = { api: FakeApi; user: UserEvent; me: Me | undefined };

type Visit = {
  /** Who is signed in; a stranger unless told. */
  as?: Role;
  /** What is different about them. */
  me?: Partial<Me>;
  /** Arranges what the API answers before the page opens. */
  before?: (api: FakeApi) => void;
};

/** Opens an address of the site over a fake API that knows the demo data, and waits for all of it. */
export async function visit(address: string, { as, me: change = {}, before }: Visit = {}): Promise<Screen> {
  const me = as && { ...demoUser(as), ...change };
  complaints.push(...(api?.problems ?? []));
  const handlers = demoHandlers(as ?? "tenant_admin");
  const opened = openFakeApi(handlers);
  api = opened;
  if (me) {
    localStorage.setItem("auth_token", "a-session");

    opened.on(sessions.me, () => me);
  }
  before?.(opened);
  history.replaceState(null, "", address);
  await reload();
  return { api: opened, user: userEvent.setup({ delay: null }), me };
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

/** Waits until nothing on the page is on its way any more. */
export async function settled(): Promise<void> {
  await vi.waitFor(() => expect(isLoading()).toBe(false), { timeout: 10_000, interval: 5 });
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

const inline = new Set(["A", "ABBR", "B", "CODE", "EM", "I", "KBD", "MARK", "S", "SMALL", "SPAN", "STRONG", "SUB", "SUP", "SVG", "TIME"]);

/** What a part of the page says, in one line; between blocks stands a space. */
export function textOf(part: Node): string {
  const read = (node: Node): string => {
    if (node.nodeType === Node.TEXT_NODE) return node.textContent ?? "";
    if (
      node instanceof HTMLElement &&
      (node.hidden || node.getAttribute("aria-hidden") === "true" || ["STYLE", "SCRIPT"].includes(node.tagName))
    )
      return "";
    const text = [...node.childNodes].map((child) => (child.previousSibling instanceof Element ? ` ${read(child)}` : read(child))).join("");
    return node instanceof Element && inline.has(node.tagName.toUpperCase()) ? text : ` ${text} `;
  };
  return read(part).replaceAll(/\s+/g, " ").trim();
}

/** Waits until a part of the page says so. */
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

/** Waits until an expectation holds. */
export const eventually = (expectation: () => void | Promise<void>): Promise<void> =>
  vi.waitFor(expectation, { timeout: 10_000, interval: 5 });

/** What a term of a description list is described with. */
export const described = (term: Name, part?: HTMLElement): string => {
  const found = inside(part).getAllByText(term, { selector: "dt" })[0];
  return textOf(found?.nextElementSibling ?? document.createElement("dd"));
};

/** Loads the page that stands at this address now from its beginning, over the same API; what the storages hold stays. */
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
