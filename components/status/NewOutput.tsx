// NewOutput: says that the view is not at the end, and what came below since.
import { Text } from "ink";
import { useStore } from "zustand";
import { useAppState, useServices } from "../app-context.js";
import { useTheme } from "../theme/use-theme.js";

export const NewOutput = () => {
  const theme = useTheme();
  const { view } = useServices();
  const isFollowing = useStore(view.store, (state) => state.isFollowing);
  const count = useAppState(() => (isFollowing ? 0 : view.newCount()));
  if (isFollowing) return null;
  const label = count === 0 ? "not at the end" : `${count} new below`;
  return (
    <Text wrap="truncate" {...theme.ink(count === 0 ? "dim" : "warning")}>
      {`  ↓ ${label} · ctrl+end goes there`}
    </Text>
  );
};
