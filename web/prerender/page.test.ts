import { expect, test } from "vitest";
import { assemble, cspHash, inlineScripts, inlineStyles, splitHead } from "./page.ts";

const template =
  '<html><head><script>one()</script><script type="module" src="/a.js"></script></head><body><div id="root"></div></body></html>';
const page = {
  html: '<title>T</title><meta name="robots" content="noindex"/><main>$& text</main>',
  styles: [
    { name: "css-global a", css: "html{color:red}" },
    { name: "css b", css: ".css-b{color:blue}" },
  ],
};

test("a page's title and metadata go into the head, its markup into the root, to the letter", () => {
  const html = assemble(template, page, { preloads: ["/b.js"] });
  expect(html).toContain(
    '<title>T</title><meta name="robots" content="noindex"/><link rel="modulepreload" crossorigin href="/b.js"><style data-emotion="css-global a">html{color:red}</style>',
  );
  expect(html).toContain('<div id="root"><main>$& text</main></div>');
  expect(splitHead(page.html).body).toBe("<main>$& text</main>");
});

test("a document names what its user reads first", () => {
  const html = assemble(template, page, { preloads: [], first: { role: "tenant_admin", reads: ["/api/a?b=true&d=1", "/api/c"] } });
  expect(html).toContain('<html data-role="tenant_admin" data-reads="/api/a?b=true&amp;d=1 /api/c">');
  expect(assemble(template, page, { preloads: [] })).toContain("<html><head>");
});

test("markup that the security policy would refuse stops the build", () => {
  for (const html of ['<main style="color:red"></main>', "<main></main><script>move()</script>"])
    expect(() => assemble(template, { html, styles: [] }, { preloads: [] })).toThrow("must not hold");
  expect(() => assemble("<html></html>", page, { preloads: [] })).toThrow("no empty #root");
});

test("the hashes are those of the security policy, for inline scripts and styles alone", () => {
  expect(cspHash("")).toBe("sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=");
  expect(inlineScripts(template)).toEqual(["one()"]);
  expect(inlineStyles(`<style>p{color:red}</style><style data-emotion="css"></style>`)).toEqual(["p{color:red}"]);
});
