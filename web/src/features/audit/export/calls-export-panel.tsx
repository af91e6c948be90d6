import { Button } from "@chakra-ui/react/button";
import { Text } from "@chakra-ui/react/text";
import { tenantCalls } from "@vitaline/contract";
import FileDown from "lucide-react/dist/esm/icons/file-down.mjs";
import { useState } from "react";
import { Panel } from "../../../components/layout/panel.tsx";
import { call } from "../../../lib/api/call.ts";
import { useAction } from "../../../lib/api/use-action.ts";
import { download } from "../../../lib/dom/download.ts";
import { formatCount } from "../../../lib/format/numbers.ts";

/** For an auditor, who has no list of calls. */
export const CallsExportPanel = () => {
  const [said, setSaid] = useState("");
  const { run, isBusy } = useAction(async () => {
    const { fileName, csv, rows, complete } = await call(tenantCalls.exportCalls, { query: {} });
    download(fileName, "text/csv", csv);
    setSaid(`${formatCount(rows)} ${rows === 1 ? "call is" : "calls are"} in ${fileName}${complete ? "" : ", the newest ones"}.`);
  });
  return (
    <Panel
      title="Export calls"
      description="When each call began, how it ended, its agent, office and tools. It does not include who called or what was said."
      actions={
        <Button size="sm" variant="outline" aria-disabled={isBusy} onClick={() => run()}>
          <FileDown aria-hidden />
          {isBusy ? "Exporting..." : "Export Calls"}
        </Button>
      }
    >
      <Text as="output" textStyle="sm" color="fg.muted">
        {said === "" ? "The export is in the audit log." : said}
      </Text>
    </Panel>
  );
};
