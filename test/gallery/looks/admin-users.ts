import type { Page } from "playwright-core";
import { dialogOf, panelOf, unanswered } from "../../kit/browser/console.ts";
import { open, reads, type Login, type Site } from "../../kit/browser/site.ts";
import type { Look } from "../../kit/browser/axe.ts";

const as = (site: Site): Login => site.demo.systemAdmin;
const address = "/admin?tab=users";
const press = (page: Page, name: string | RegExp) => page.getByRole("button", { name }).first().click();
const inDialog = (page: Page, name: string | RegExp) => dialogOf(page).getByRole("button", { name }).first().click();

const shared = {
  hasTotp: false,
  mustChangePassword: false,
  invitedAt: null,
  lockedUntil: null,
  version: 1,
  createdAt: "2026-05-01T09:00:00.000Z",
  lastLogin: null,
};
const ofClinic = {
  role: "tenant_admin",
  tenantId: "01hzzzzzzzzzzzzzzzzzzzzzz1",
  tenantName: "Cardiology Associates of the Northern Lakes",
};
const kinds = [
  {
    id: "01hzzzzzzzzzzzzzzzzzzzzza1",
    email: "a.person.with.a.long.name@northern-lakes-cardiology.example",
    firstName: "Bartholomew",
    lastName: "Featherstonehaugh",
    ...ofClinic,
    isActive: true,
    invitedAt: "2026-05-01T09:00:00.000Z",
  },
  { id: "01hzzzzzzzzzzzzzzzzzzzzza2", email: "gone@example.com", firstName: "", lastName: "", ...ofClinic, isActive: false },
  {
    id: "01hzzzzzzzzzzzzzzzzzzzzza3",
    email: "new@example.com",
    firstName: "Nora",
    lastName: "New",
    role: "system_admin",
    tenantId: null,
    tenantName: null,
    isActive: true,
    mustChangePassword: true,
    hasTotp: true,
    lockedUntil: "2999-01-01T00:00:00.000Z",
  },
].map((user) => ({ ...shared, ...user }));

const openKinds = async (page: Page): Promise<void> => {
  await page.route("**/api/admin/users", (route) =>
    route.request().method() === "GET" ? route.fulfill({ json: kinds }) : route.continue(),
  );
  await open(page, address);
  await reads(panelOf(page, "Users"), /Bartholomew/);
};

const editNora = async (page: Page): Promise<void> => {
  await openKinds(page);
  await press(page, "Edit Nora New");
  await reads(dialogOf(page), /Two-factor sign-in/);
};

export const adminUserLooks: Look[] = [
  {
    name: "console: users of every kind, sorted",
    as,
    arrange: async (page) => {
      await openKinds(page);
      await page.goto(`${address}&sort=-name`);
      await reads(panelOf(page, "Users"), /3 users shown/);
    },
  },
  {
    name: "console: no user found",
    as,
    arrange: async (page) => {
      await open(page, `${address}&q=no+such+user`);
      await reads(panelOf(page, "Users"), /No users found/);
    },
  },
  {
    name: "console: users that do not load",
    as,
    refused: ["503 GET /api/admin/users"],
    arrange: async (page) => {
      await page.route("**/api/admin/users", (route) => route.fulfill(unanswered));
      await open(page, address);
      await reads(panelOf(page, "Users"), /Error loading users/);
    },
  },
  {
    name: "console: a new user who lacks something",
    as,
    arrange: async (page) => {
      await open(page, address);
      await press(page, "Add User");
      await inDialog(page, "Send Invitation");
      await reads(dialogOf(page), /Email is required[^]*Please select a tenant/);
    },
  },
  {
    name: "console: a new user with a password",
    as,
    arrange: async (page) => {
      await open(page, address);
      await press(page, "Add User");
      await dialogOf(page).getByLabel("First sign-in").selectOption("password");
      await dialogOf(page).getByLabel("Role").selectOption("system_admin");
      await inDialog(page, "Create User");
      await reads(dialogOf(page), /Email and password are required[^]*Password is required/);
    },
  },
  {
    name: "console: what was typed of a user would be lost",
    as,
    arrange: async (page) => {
      await open(page, address);
      await press(page, "Add User");
      await dialogOf(page).getByLabel("Email").fill("half");
      await inDialog(page, "Close");
      await reads(page.getByRole("alertdialog"), /Discard changes\?/);
    },
  },
  { name: "console: a user", as, arrange: editNora },
  {
    name: "console: an inactive user",
    as,
    arrange: async (page) => {
      await openKinds(page);
      await press(page, "Edit gone@example.com");
      await reads(dialogOf(page), /Reactivate/);
    },
  },
  {
    name: "console: a new password for a user",
    as,
    arrange: async (page) => {
      await editNora(page);
      await inDialog(page, "Reset Password");
      await page.getByRole("dialog", { name: "Reset Password" }).getByLabel("New password", { exact: true }).selectOption("password");
      await reads(page.getByRole("dialog", { name: "Reset Password" }), /Turn off two-factor sign-in/);
    },
  },
  {
    name: "console: a user to be locked out",
    as,
    arrange: async (page) => {
      await editNora(page);
      await inDialog(page, "Deactivate");
      await reads(page.getByRole("alertdialog"), /signed out everywhere/);
    },
  },
];
