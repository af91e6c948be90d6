import createCache from "@emotion/cache";
import { CacheProvider } from "@emotion/react";
import { StrictMode } from "react";
import { prerenderToNodeStream } from "react-dom/static";
import { StaticRouter } from "react-router-dom";
import { Site } from "./site.tsx";

/** The styles carry the names by which Emotion finds them again. */
export type Rendered = { html: string; styles: { name: string; css: string }[] };

const keyOf = "css";

const stylesOf = ({ inserted, registered }: ReturnType<typeof createCache>): Rendered["styles"] => {
  const isOfElement = (name: string) => registered[`${keyOf}-${name}`] !== undefined;
  const texts = Object.entries(inserted).filter((entry): entry is [string, string] => typeof entry[1] === "string" && entry[1] !== "");
  const ofElements = texts.filter(([name]) => isOfElement(name));
  return [
    ...texts.filter(([name]) => !isOfElement(name)).map(([name, css]) => ({ name: `${keyOf}-global ${name}`, css })),
    { name: [keyOf, ...ofElements.map(([name]) => name)].join(" "), css: ofElements.map(([, css]) => css).join("") },
  ];
};

/** Renders a page for a visitor who is not signed in. Waits for lazy components; rejects with the first rendering error. */
export const renderPage = async (path: string): Promise<Rendered> => {
  const cache = createCache({ key: keyOf });
  cache.compat = true;
  const errors: unknown[] = [];
  const { prelude } = await prerenderToNodeStream(
    <StrictMode>
      <CacheProvider value={cache}>
        <StaticRouter location={path}>
          <Site />
        </StaticRouter>
      </CacheProvider>
    </StrictMode>,
    // All content belongs to the document itself: the CSP refuses React's script that moves late content into place.
    { progressiveChunkSize: Number.POSITIVE_INFINITY, onError: (error) => void errors.push(error) },
  );
  if (errors.length > 0) throw errors[0];
  const chunks: Buffer[] = [];
  for await (const chunk of prelude) chunks.push(Buffer.from(chunk as Uint8Array));
  return { html: Buffer.concat(chunks).toString("utf8"), styles: stylesOf(cache) };
};
