import { tools } from "@vitaline/contract";
import Wrench from "lucide-react/dist/esm/icons/wrench.mjs";
import { useApi } from "../../lib/api/use-api.ts";
import { Empty } from "../../components/feedback/empty.tsx";
import { Loadable, RowSkeletons } from "../../components/feedback/loadable.tsx";
import { Panel } from "../../components/layout/panel.tsx";
import { ToolTest } from "./tool-test.tsx";

/** Where somebody tries out what the clinic's agents can do. */
const ToolConsole = () => {
  const listed = useApi(tools.listTools, {});
  return (
    <Panel title="Test a tool" description="Runs a tool as an agent does in a call, and shows what a caller would hear.">
      <Loadable loaded={listed} what="tools" skeleton={<RowSkeletons />}>
        {(list) =>
          list.length === 0 ? (
            <Empty icon={Wrench} title="No tools available" description="Tools appear here once your agents can use some." />
          ) : (
            <ToolTest tools={list} />
          )
        }
      </Loadable>
    </Panel>
  );
};

export default ToolConsole;
