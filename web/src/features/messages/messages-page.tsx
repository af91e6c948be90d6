import { TenantPage } from "../../components/tenants/tenant-page.tsx";
import MessagesPanel from "./messages-panel.tsx";

const MessagesPage = () => (
  <TenantPage title="Messages">
    <MessagesPanel />
  </TenantPage>
);

export default MessagesPage;
