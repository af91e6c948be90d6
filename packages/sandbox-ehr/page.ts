import { faultMeanings } from "./faults/faults.ts";
import { epicIds, type Personality } from "./personalities/personality.ts";
import type { DemoPatient } from "./seed/index.ts";
import type { Address, ServerAddresses } from "./servers.ts";
import type { FhirVersion } from "./versions/version.ts";

interface PageContent {
  origin: string;
  personalities: Personality[];
  addresses: ServerAddresses;
  client: { id: string; scopes: string } | undefined;
  patients: DemoPatient[];
  openReads?: boolean | undefined;
}

export function page({ origin, personalities, addresses, client, patients, openReads = false }: PageContent): string {
  const { baseUrl, tokenUrl } = addresses.plain.R4;
  const rows = patients
    .map(
      (one) =>
        `<tr>${[one.given, one.family, one.birthDate, one.phone, one.zip, one.mrn, one.id, epicIds.encode(one.id)].map((cell) => `<td>${cell}</td>`).join("")}</tr>`,
    )
    .join("\n");
  const kinds = Object.entries(faultMeanings)
    .map(([kind, meaning]) => `<tr><th><code>${kind}</code></th><td>${meaning}</td></tr>`)
    .join("\n");
  return `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Sandbox EHR</title>
<style>body{font:16px/1.5 system-ui;max-width:60rem;margin:2rem auto;padding:0 1rem;color-scheme:light dark}td,th{text-align:left;vertical-align:top;padding:.2rem 1rem .2rem 0}pre{overflow:auto}</style>
<h1>Sandbox EHR</h1>
<p>FHIR servers with generated patients for tests and demos. None of these people exist. All servers share the same records: an appointment booked at one is visible at the others.</p>
<h2>Servers</h2>
${personalities.map((one) => serversOf(one, addresses[one.name])).join("\n")}
${openReads ? `<p>On this machine, reads need no token: <a href="${baseUrl}/Appointment?_sort=-date">all appointments, the latest first</a>.</p>` : ""}
${
  client
    ? `<h2>To register one on the platform</h2>
<p>As a system administrator, create a FHIR provider with one of the addresses above, its version and its type, and assign it to a tenant. The platform authenticates with its own key.</p>
<table>
<tr><th>Base URL</th><td><code>${baseUrl}</code></td></tr>
<tr><th>Token URL</th><td><code>${tokenUrl}</code></td></tr>
<tr><th>Client id</th><td><code>${client.id}</code></td></tr>
<tr><th>Scopes</th><td><code>${client.scopes}</code></td></tr>
</table>`
    : ""
}
<h2>Some patients</h2>
<table><tr><th>Given</th><th>Family</th><th>Born</th><th>Phone</th><th>ZIP</th><th>MRN</th><th>Id</th><th>Id at epic-like</th></tr>
${rows}
</table>
<h2>Faults on demand</h2>
<pre>curl -X POST ${origin}/faults -H 'content-type: application/json' -d '{"kind":"503","match":{"method":"GET","path":"/r4/Slot"},"times":2}'
curl ${origin}/faults
curl -X DELETE ${origin}/faults</pre>
<p>A fault applies to every matching FHIR and token call at all servers, or to <code>times</code> of them. <code>match</code> (by method and path prefix), <code>times</code> and <code>delayMs</code> are optional. <code>{"kind":"none"}</code> ends all faults, as DELETE does.</p>
<table>
${kinds}
</table>
</html>
`;
}

function serversOf({ name, vendor, summary }: Personality, addresses: Partial<Record<FhirVersion, Address>>): string {
  const servers = Object.entries(addresses);
  const rows = servers.map(
    ([version, { baseUrl }]) =>
      `<tr><th>FHIR ${version}</th><td><code>${baseUrl}</code></td><td><a href="${baseUrl}/metadata">capabilities</a></td></tr>`,
  );
  const [first] = servers;
  return `<h3>${name}</h3>
<p>${summary} Registered as type <code>${vendor}</code>.</p>
<table>
${rows.join("\n")}
<tr><th>Token</th><td><code>${first?.[1].tokenUrl}</code></td></tr>
</table>`;
}
