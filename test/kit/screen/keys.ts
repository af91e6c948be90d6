import { apiKeys, keyPlaceholder, snippets, tenant, type ApiKey } from "@vitaline/contract";
import { screen } from "@testing-library/react";
import { demo } from "./demo-answers.ts";
import type { FakeApi } from "./fake-api.ts";
import { region } from "./visit.tsx";

export const wholeKey = /^vtl_live_[0-9A-Za-z]{36}$/;
export const demoKey = demo("tenant_admin", tenant.tenantInfo).apiKey ?? "";

const newKey = (count: number): string => `vtl_live_${`New${count}`.padEnd(36, "k")}${count}`.slice(0, 44) + String(count);

export function keepKeys(api: FakeApi) {
  let current = demoKey;
  let kept = demo("tenant_admin", apiKeys.listApiKeys);
  const end = (key: ApiKey): ApiKey => ({ ...key, status: "revoked", notAfter: new Date().toISOString() });
  const replace = (overlapSeconds = 0): string => {
    current = newKey(kept.length);
    const former = kept.map((key): ApiKey => {
      if (key.status !== "active" || overlapSeconds === 0) return end(key);
      return { ...key, status: "retiring", notAfter: new Date(Date.now() + overlapSeconds * 1000).toISOString() };
    });
    const id = `01m83bhkbde14k9gkkdveqnew${kept.length}`;
    const made: ApiKey = { ...(kept[0] as ApiKey), id, last4: current.slice(-4), createdAt: new Date().toISOString(), lastUsedAt: null };
    kept = [made, ...former];
    return current;
  };
  api.on(tenant.tenantInfo, ({ query }) => ({
    ...demo("tenant_admin", tenant.tenantInfo),
    apiKey: query.withKey === false ? null : current,
  }));
  api.on(apiKeys.listApiKeys, () => kept);
  api.on(tenant.regenerateApiKey, ({ body }) => ({ apiKey: replace(body.overlapSeconds) }));
  api.on(apiKeys.revokeApiKey, ({ params }) => {
    kept = kept.map((key) => (key.id === params.keyId ? end(key) : key));
    return kept.find(({ id }) => id === params.keyId) as ApiKey;
  });
  api.on(snippets.snippets, ({ query }) =>
    demo("tenant_admin", snippets.snippets).map((snippet) => ({
      ...snippet,
      text: snippet.text
        .replaceAll(demoKey, query.withKey === false ? keyPlaceholder : current)
        .replaceAll(/(\/api\/mcp\/\w{26})/g, query.officeId === undefined ? "$1" : `$1/${query.officeId}`),
    })),
  );
  return {
    current: (): string => current,
    replace,
    looks: (): number =>
      [...api.received(tenant.tenantInfo), ...api.received(snippets.snippets)].filter(({ query }) => query.withKey !== false).length,
  };
}

export const keyPart = (): HTMLElement => region("API Key Management");
export const hiddenKey = (): HTMLElement => screen.getByRole("img", { name: "API key, hidden" });
export const keyText = (): string => keyPart().querySelector("code")?.textContent ?? "";
