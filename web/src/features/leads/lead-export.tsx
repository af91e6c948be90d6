import { Button } from "@chakra-ui/react/button";
import { leads } from "@vitaline/contract";
import Download from "lucide-react/dist/esm/icons/download.mjs";
import { call } from "../../lib/api/call.ts";
import { useAction } from "../../lib/api/use-action.ts";
import { announce } from "../../lib/toast.ts";
import { download } from "../../lib/dom/download.ts";
import { formatCount } from "../../lib/format/numbers.ts";
import { handledFlag, type ShownLeads } from "./lead-words.ts";

const formats = { csv: "Export CSV", json: "Export JSON" } as const;

const ExportButton = ({ format, shown }: { format: keyof typeof formats; shown: ShownLeads }) => {
  const { run, isBusy } = useAction(async () => {
    const file = await call(leads.exportLeads, { query: { format, handled: handledFlag(shown) } });
    download(file.fileName, file.contentType, file.text);
    const rows = `${formatCount(file.rows)} ${file.rows === 1 ? "lead is" : "leads are"} in the file`;
    announce({
      type: "success",
      title: "Leads exported",
      description: file.complete ? `${rows}, with how to reach them.` : `${rows}: the newest. There are more than one file takes.`,
    });
  });
  return (
    <Button size="sm" variant="outline" aria-disabled={isBusy} onClick={() => run()}>
      <Download aria-hidden />
      {isBusy ? "Exporting..." : formats[format]}
    </Button>
  );
};

/** The leads that are shown, all of them with how to reach them, as a file; this is audited. */
export const LeadExport = ({ shown }: { shown: ShownLeads }) => (
  <>
    <ExportButton format="csv" shown={shown} />
    <ExportButton format="json" shown={shown} />
  </>
);
