/** The last resort, without theme or router: something so basic broke that no frame could be drawn, mostly a chunk that did not load. */
export const CrashPage = () => (
  <main style={{ font: "1rem/1.6 system-ui, sans-serif", maxWidth: "36rem", margin: "20vh auto", padding: "0 1rem" }}>
    <title>Something went wrong · Vitaline</title>
    <h1>Something went wrong</h1>
    <p>The page could not be loaded. Check your connection and load it again.</p>
    <button type="button" onClick={() => location.reload()}>
      Load again
    </button>
  </main>
);
