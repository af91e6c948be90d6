import { defineSlotRecipe } from "@chakra-ui/react/styled-system";

const status = (colorPalette: string) => ({ root: { colorPalette } });

export const alert = defineSlotRecipe({
  className: "vl-alert",
  slots: ["title", "description", "root", "indicator", "content"],
  base: {
    root: {
      display: "flex",
      alignItems: "flex-start",
      gap: "3",
      width: "full",
      px: "4",
      py: "3",
      borderRadius: "l2",
      textStyle: "sm",
      bg: "colorPalette.subtle",
      color: "colorPalette.fg",
    },
    title: { fontWeight: "semibold" },
    description: { display: "block" },
    indicator: { display: "inline-flex", flexShrink: "0", boxSize: "5", _icon: { boxSize: "full" } },
    content: { display: "flex", flex: "1", flexDirection: "column", gap: "0.5", minWidth: "0" },
  },
  variants: {
    status: { info: status("blue"), warning: status("orange"), success: status("green"), error: status("red"), neutral: status("gray") },
  },
  defaultVariants: { status: "info" },
});

export const card = defineSlotRecipe({
  className: "vl-card",
  slots: ["root", "header", "body", "footer", "title", "description"],
  base: {
    root: {
      display: "flex",
      flexDirection: "column",
      position: "relative",
      minWidth: "0",
      bg: "bg.panel",
      color: "fg",
      borderWidth: "1px",
      borderColor: "border",
      borderRadius: "l3",
      boxShadow: "xs",
      wordWrap: "break-word",
    },
    header: { display: "flex", flexDirection: "column", gap: "1", px: "var(--card-padding)", pt: "var(--card-padding)" },
    body: { display: "flex", flexDirection: "column", flex: "1", p: "var(--card-padding)" },
    footer: { display: "flex", alignItems: "center", gap: "2", px: "var(--card-padding)", pb: "var(--card-padding)" },
    title: { fontWeight: "semibold", textStyle: "lg" },
    description: { color: "fg.muted", textStyle: "sm" },
  },
  variants: {
    size: {
      sm: { root: { "--card-padding": "spacing.5" } },
      md: { root: { "--card-padding": "spacing.6" } },
      lg: { root: { "--card-padding": { base: "spacing.6", sm: "spacing.8" } } },
    },
  },
  defaultVariants: { size: "md" },
});
