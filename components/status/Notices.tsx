// Notices: one short-lived line above the prompt.
import { Text } from "ink";
import { sanitise } from "../../src/lib/sanitise.js";
import { useAppState } from "../app-context.js";
import { useTheme } from "../theme/use-theme.js";

export const Notices = () => {
  const theme = useTheme();
  const text = useAppState((state) => state.hint?.text ?? "");
  if (text === "") return null;
  return <Text wrap="truncate" {...theme.ink("dim")}>{`  ${sanitise(text)}`}</Text>;
};
