// Tabs: names in a row, the open one marked.
import { Box, type DOMElement, Text } from "ink";
import { useLayoutEffect, useRef } from "react";
import { useServices } from "../app-context.js";
import { useTheme } from "../theme/use-theme.js";

export interface TabsProps {
  names: readonly string[];
  open: number;
  /** Stand behind the names (a tick for what is answered). */
  marks?: string[];
  /** A click on a name opens it. */
  onOpen?: (at: number) => void;
}

interface TabProps {
  name: string;
  at: number;
  isOpen: boolean;
  mark?: string;
}

const Tab = ({ name, at, isOpen, mark }: TabProps) => {
  const theme = useTheme();
  return (
    <Text wrap="truncate">
      {at > 0 ? <Text {...theme.ink("dim")}> │ </Text> : null}
      <Text {...theme.ink(isOpen ? "accent" : "dim")} bold={isOpen} underline={isOpen}>
        {name}
      </Text>
      {mark ? <Text {...theme.ink("success")}>{` ${mark}`}</Text> : null}
    </Text>
  );
};

interface ClickableTabProps extends TabProps {
  onOpen: (at: number) => void;
  /** The last one gives way where the row is too narrow. */
  isLast: boolean;
}

const ClickableTab = ({ onOpen, isLast, ...tab }: ClickableTabProps) => {
  const node = useRef<DOMElement>(null);
  const newest = useRef(() => onOpen(tab.at));
  newest.current = () => onOpen(tab.at);
  const { clicks } = useServices();
  useLayoutEffect(
    () => (node.current === null ? undefined : clicks.add(node.current, () => newest.current())),
    [clicks],
  );
  return (
    <Box ref={node} flexShrink={isLast ? 1 : 0}>
      <Tab {...tab} />
    </Box>
  );
};

/** One line. */
export const Tabs = ({ names, open, marks = [], onOpen }: TabsProps) => {
  const tabs = names.map((name, at) => ({ name, at, isOpen: at === open, ...(marks[at] ? { mark: marks[at] } : {}) }));
  if (onOpen)
    return (
      <Box overflow="hidden">
        {tabs.map((tab) => (
          <ClickableTab key={tab.name} {...tab} isLast={tab.at === tabs.length - 1} onOpen={onOpen} />
        ))}
      </Box>
    );
  return (
    <Text wrap="truncate">
      {tabs.map((tab) => (
        <Tab key={tab.name} {...tab} />
      ))}
    </Text>
  );
};
