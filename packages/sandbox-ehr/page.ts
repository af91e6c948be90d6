import { faultMeanings } from "./faults.ts";
import type { DemoPatient } from "./seed/index.ts";

/** The page people see when they open the sandbox in a browser. */
export function page({
  origin,
  baseUrl,
  tokenUrl,
  client,
  patients,
  openReads = false,
}: {
  origin: string;
  baseUrl: string;
  tokenUrl: string;
  client: { id: string; scopes: string } | undefined;
  patients: DemoPatient[];
  openReads?: boolean;
}): string {
  const rows = patients
    .map(
      (one) => `<tr>${[one.given, one.family, one.birthDate, one.phone, one.zip, one.mrn].map((cell) => `<td>${cell}</td>`).join("")}</tr>`,
    )
    .join("\n");
  const kinds = Object.entries(faultMeanings)
    .map(([kind, meaning]) => `<tr><th><code>${kind}</code></th><td>${meaning}</td></tr>`)
    .join("\n");
  return `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Sandbox EHR</title>
<style>body{font:16px/1.5 system-ui;max-width:52rem;margin:2rem auto;padding:0 1rem;color-scheme:light dark}td,th{text-align:left;padding:.2rem 1rem .2rem 0}pre{overflow:auto}</style>
<h1>Sandbox EHR</h1>
<p>A FHIR server with generated patients, for trying things out. None of these people exist.</p>
<h2>Addresses</h2>
<table>
<tr><th>FHIR R4</th><td><code>${baseUrl}</code></td></tr>
<tr><th>Capabilities</th><td><a href="${baseUrl}/metadata">${baseUrl}/metadata</a></td></tr>
<tr><th>Token</th><td><code>${tokenUrl}</code> (SMART Backend Services, private_key_jwt)</td></tr>
</table>
${openReads ? `<p>On this machine, reading needs no token: <a href="${baseUrl}/Appointment?_sort=-date">all appointments, the latest first</a>.</p>` : ""}
${
  client
    ? `<h2>To register it on the platform</h2>
<p>As a system administrator, create a FHIR provider of version R4 with these, and assign it to a tenant.</p>
<table>
<tr><th>Base URL</th><td><code>${baseUrl}</code></td></tr>
<tr><th>Token URL</th><td><code>${tokenUrl}</code></td></tr>
<tr><th>Client id</th><td><code>${client.id}</code></td></tr>
<tr><th>Scopes</th><td><code>${client.scopes}</code></td></tr>
</table>`
    : ""
}
<h2>Some patients</h2>
<table><tr><th>Given</th><th>Family</th><th>Born</th><th>Phone</th><th>ZIP</th><th>MRN</th></tr>
${rows}
</table>
<h2>Faults on demand</h2>
<pre>curl -X POST ${origin}/faults -H 'content-type: application/json' -d '{"kind":"503","match":{"method":"GET","path":"/r4/Slot"},"times":2}'
curl ${origin}/faults
curl -X DELETE ${origin}/faults</pre>
<p>A fault strikes every FHIR and token call that it fits, or as many as <code>times</code> says; <code>match</code>, <code>times</code> and <code>delayMs</code> may be left out. <code>{"kind":"none"}</code> ends all faults, as DELETE does.</p>
<table>
${kinds}
</table>
</html>
`;
}
