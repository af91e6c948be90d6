import { chakra } from "@chakra-ui/react/styled-system";
import { useAuth } from "../../lib/session/auth.tsx";
import { roleNames } from "../../lib/session/areas.ts";
import { Panel } from "../../components/layout/panel.tsx";

export const ProfilePanel = () => {
  const { user } = useAuth();
  if (!user) return null;
  const lines = [
    ["Name", `${user.firstName} ${user.lastName}`.trim() || "Not set"],
    ["Email", user.email],
    ["Role", roleNames[user.role]],
    ...(user.tenantName ? [["Organization", user.tenantName]] : []),
  ];
  return (
    <Panel title="Profile" description="A system admin changes what stands here.">
      <chakra.dl display="grid" gridTemplateColumns="auto minmax(0, 1fr)" columnGap="6" rowGap="2.5">
        {lines.map(([name, value]) => (
          <chakra.div key={name} display="contents">
            <chakra.dt color="fg.muted">{name}</chakra.dt>
            <chakra.dd fontWeight="medium" overflowWrap="anywhere">
              {value}
            </chakra.dd>
          </chakra.div>
        ))}
      </chakra.dl>
    </Panel>
  );
};
