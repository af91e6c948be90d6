import { Button } from "@chakra-ui/react/button";
import { Flex } from "@chakra-ui/react/flex";
import { Stack } from "@chakra-ui/react/stack";
import { chakra } from "@chakra-ui/react/styled-system";
import { VisuallyHidden } from "@chakra-ui/react/visually-hidden";
import { type Office, offices } from "@vitaline/contract";
import Building2 from "lucide-react/dist/esm/icons/building-2.mjs";
import Plus from "lucide-react/dist/esm/icons/plus.mjs";
import { useAll } from "../../../lib/api/use-all.ts";
import { ActiveBadge } from "../../../components/data/badges.tsx";
import { Empty } from "../../../components/feedback/empty.tsx";
import { Loadable, RowSkeletons } from "../../../components/feedback/loadable.tsx";
import { RowList, RowListItem } from "../../../components/table/row-list.tsx";
import { newOffice } from "../../offices/office-route.ts";

type Props = { tenantId: string; onOpen: (officeId: string) => void };

const OfficeRow = ({ office: { name, address, phone, email, isActive }, onEdit }: { office: Office; onEdit: () => void }) => (
  <RowListItem>
    <chakra.div minW="0" textStyle="sm">
      <chakra.p fontWeight="semibold" overflowWrap="anywhere">
        {name}
      </chakra.p>
      <chakra.p color="fg.muted" overflowWrap="anywhere">
        {address ?? "No address"}
      </chakra.p>
      <chakra.p color="fg.muted" overflowWrap="anywhere">
        {[phone ?? "No phone", email ?? "No email"].join(" · ")}
      </chakra.p>
    </chakra.div>
    <Flex align="center" gap="3" flexShrink="0">
      <ActiveBadge isActive={isActive} />
      <Button size="sm" variant="outline" aria-haspopup="dialog" onClick={onEdit}>
        Edit
        <VisuallyHidden>{` ${name}`}</VisuallyHidden>
      </Button>
    </Flex>
  </RowListItem>
);

const OfficesPart = ({ tenantId, onOpen }: Props) => {
  const all = useAll(offices.listOffices, { params: { tenantId } });
  return (
    <Stack gap="5">
      <Flex justify="flex-end">
        <Button size="sm" aria-haspopup="dialog" onClick={() => onOpen(newOffice)}>
          <Plus aria-hidden />
          Add Office
        </Button>
      </Flex>
      <Loadable loaded={all} what="offices" failed="Failed to fetch offices" skeleton={<RowSkeletons />}>
        {(list) =>
          list.length === 0 ? (
            <Empty
              icon={Building2}
              title="No offices configured. Add your first office location."
              description="Voice agents tell callers its address and hours, and transfer calls to its staff."
            />
          ) : (
            <RowList label="Offices">
              {list.map((office) => (
                <OfficeRow key={office.id} office={office} onEdit={() => onOpen(office.id)} />
              ))}
            </RowList>
          )
        }
      </Loadable>
    </Stack>
  );
};

export default OfficesPart;
