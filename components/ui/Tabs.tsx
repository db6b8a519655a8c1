// Tabs: names in a row, the open one marked.
import { Text } from "ink";
import { useTheme } from "../theme/use-theme.js";

/** One line; `marks` stand behind the names (a tick for what is answered). */
export const Tabs = ({ names, open, marks = [] }: { names: readonly string[]; open: number; marks?: string[] }) => {
  const theme = useTheme();
  return (
    <Text wrap="truncate">
      {names.map((name, at) => (
        <Text key={name}>
          {at > 0 ? <Text {...theme.ink("dim")}> │ </Text> : null}
          <Text {...theme.ink(at === open ? "accent" : "dim")} bold={at === open} underline={at === open}>
            {name}
          </Text>
          {marks[at] ? <Text {...theme.ink("success")}>{` ${marks[at]}`}</Text> : null}
        </Text>
      ))}
    </Text>
  );
};
