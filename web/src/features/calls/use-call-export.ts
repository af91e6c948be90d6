import { type RequestOf, tenantCalls } from "@vitaline/contract";
import { useState } from "react";
import { call } from "../../lib/api/call.ts";
import { useAction } from "../../lib/api/use-action.ts";
import { announce } from "../../lib/toast.ts";
import { download } from "../../lib/dom/download.ts";
import { formatCount } from "../../lib/format/numbers.ts";

/** Hands out the calls that pass the filters as a file. `limit` is how many the last one took where there are more. */
export const useCallExport = (query: RequestOf<typeof tenantCalls.exportCalls>["query"]) => {
  const [limited, setLimited] = useState<{ rows: number; of: string }>();
  const asked = JSON.stringify(query);
  const { run, isBusy } = useAction(async () => {
    const { fileName, csv, rows, complete } = await call(tenantCalls.exportCalls, { query });
    setLimited(complete ? undefined : { rows, of: asked });
    download(fileName, "text/csv", csv);
    announce({
      type: "success",
      title: "Calls exported",
      description: `${formatCount(rows)} ${rows === 1 ? "call" : "calls"} in ${fileName}`,
    });
  });
  return { run, isBusy, limit: limited?.of === asked ? limited.rows : undefined };
};
