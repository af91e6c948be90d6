import { StrictMode } from "react";
import { createRoot, hydrateRoot } from "react-dom/client";
import { BrowserRouter } from "react-router-dom";
import { watchLeaving } from "./lib/routing/unsaved-changes.ts";
import { markPageLeft } from "./lib/session/session.ts";
import { Site } from "./app/site.tsx";

const root = document.getElementById("root");
if (!root) throw new Error("The page has no #root element.");

watchLeaving();

const site = (
  <StrictMode>
    <BrowserRouter>
      <Site />
    </BrowserRouter>
  </StrictMode>
);

// The build renders every page into its document; the development server does not.
if (root.hasChildNodes()) hydrateRoot(root, site);
else createRoot(root).render(site);

window.addEventListener("pagehide", markPageLeft);
// A page restored from the back/forward cache (Back after logout) must check its session again.
window.addEventListener("pageshow", ({ persisted }) => {
  if (persisted) window.location.reload();
});
