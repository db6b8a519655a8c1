// NewOutput: says that the view is not at the end, and what came below since.
import { Box, type DOMElement, Text } from "ink";
import { useLayoutEffect, useRef } from "react";
import { useStore } from "zustand";
import { useAppState, useServices } from "../app-context.js";
import { keyFor } from "../keys/keymap.js";
import { useTheme } from "../theme/use-theme.js";

export const NewOutput = () => {
  const theme = useTheme();
  const { view, clicks } = useServices();
  const node = useRef<DOMElement>(null);
  const isFollowing = useStore(view.store, (state) => state.isFollowing);
  const count = useAppState(() => (isFollowing ? 0 : view.newCount()));
  useLayoutEffect(() => {
    if (isFollowing || node.current === null) return undefined;
    return clicks.add(node.current, view.bottom);
  }, [isFollowing, clicks, view]);
  if (isFollowing) return null;
  const label = count === 0 ? "not at the end" : `${count} new below`;
  return (
    <Box ref={node} flexShrink={0}>
      <Text wrap="truncate" {...theme.ink(count === 0 ? "dim" : "warning")}>
        {`  ↓ ${label} · ${keyFor("scroll:bottom")} or a click goes there`}
      </Text>
    </Box>
  );
};
