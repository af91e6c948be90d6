import createCache from "@emotion/cache";
import { CacheProvider } from "@emotion/react";
import { StrictMode } from "react";
import { prerenderToNodeStream } from "react-dom/static";
import { StaticRouter } from "react-router-dom";
import { Site } from "./site.tsx";

/** A page's markup and its styles: those of the whole document and those of its elements, with the names that emotion finds them by. */
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

/** Renders an address as a visitor sees it before anything is known about them. Waits for the page's own code; throws what a component threw. */
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
    // Never put off a part of the page to a script that would have to move it into place.
    { progressiveChunkSize: Number.POSITIVE_INFINITY, onError: (error) => void errors.push(error) },
  );
  if (errors.length > 0) throw errors[0];
  const chunks: Buffer[] = [];
  for await (const chunk of prelude) chunks.push(Buffer.from(chunk as Uint8Array));
  return { html: Buffer.concat(chunks).toString("utf8"), styles: stylesOf(cache) };
};
