import { Box } from "@chakra-ui/react/box";
import { Text } from "@chakra-ui/react/text";
import { useDismissedToasts } from "../../lib/toast.ts";
import { Panel } from "../../components/layout/panel.tsx";
import { RowList, RowListItem } from "../../components/table/row-list.tsx";
import { formatClock } from "../../lib/format/times.ts";

/** What was announced and has left the screen, for who did not read it in time. */
export const RecentNotifications = () => {
  const toasts = useDismissedToasts();
  return (
    <Panel title="Recent notifications">
      {toasts.length === 0 ? (
        <Text color="fg.muted">Nothing in the last minutes.</Text>
      ) : (
        <RowList label="Recent notifications">
          {toasts.map(({ id, title, description, at }) => (
            <RowListItem key={id}>
              <Box minW="0">
                <Text fontWeight="medium">{title}</Text>
                <Text textStyle="sm" color="fg.muted" overflowWrap="anywhere">
                  {description}
                </Text>
              </Box>
              <Text textStyle="sm" color="fg.muted" flexShrink="0">
                {formatClock(at)}
              </Text>
            </RowListItem>
          ))}
        </RowList>
      )}
    </Panel>
  );
};
