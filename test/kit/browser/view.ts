import type { Page } from "playwright-core";
import { open, titled, type Site } from "./site.ts";

export async function viewFrom(page: Page, site: Site, from: string): Promise<void> {
  const token = await site.tokenFor(site.demo.systemAdmin);
  const { json } = await site.api<{ token: string }>("POST", `/api/admin/tenants/${site.demo.tenants[0]!.id}/view-as`, { token });
  await open(page, from);
  await page.evaluate(
    (view) => sessionStorage.setItem("view", `${view} ${localStorage.getItem("auth_token")?.slice(-12)}`),
    `${json.token} ${from}`,
  );
  await open(page, "/tenant");
  await titled(page, "Tenant Dashboard");
}
