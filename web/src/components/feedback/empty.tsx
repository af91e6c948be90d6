import { EmptyState } from "@chakra-ui/react/empty-state";
import type { ComponentType, ReactNode, SVGProps } from "react";

type Props = {
  title: string;
  description: string;
  icon: ComponentType<SVGProps<SVGSVGElement>>;
  children?: ReactNode;
};

export const Empty = ({ title, description, icon: Icon, children }: Props) => (
  <EmptyState.Root>
    <EmptyState.Content>
      <EmptyState.Indicator>
        <Icon aria-hidden />
      </EmptyState.Indicator>
      <EmptyState.Title asChild>
        <p>{title}</p>
      </EmptyState.Title>
      <EmptyState.Description>{description}</EmptyState.Description>
      {children}
    </EmptyState.Content>
  </EmptyState.Root>
);
