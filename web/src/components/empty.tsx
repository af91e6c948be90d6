import { EmptyState } from "@chakra-ui/react/empty-state";
import type { ComponentType, SVGProps } from "react";

type Props = { title: string; description: string; icon: ComponentType<SVGProps<SVGSVGElement>> };

/** Nothing to show yet, and when there will be. */
export const Empty = ({ title, description, icon: Icon }: Props) => (
  <EmptyState.Root>
    <EmptyState.Content>
      <EmptyState.Indicator>
        <Icon aria-hidden />
      </EmptyState.Indicator>
      <EmptyState.Title asChild>
        <p>{title}</p>
      </EmptyState.Title>
      <EmptyState.Description>{description}</EmptyState.Description>
    </EmptyState.Content>
  </EmptyState.Root>
);
