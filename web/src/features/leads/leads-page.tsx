import { TenantPage } from "../../components/tenants/tenant-page.tsx";
import LeadsPanel from "./leads-panel.tsx";

const LeadsPage = () => (
  <TenantPage title="Leads">
    <LeadsPanel />
  </TenantPage>
);

export default LeadsPage;
