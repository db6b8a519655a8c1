// QueuedPrompts: what waits to be sent, above the prompt.
import { Box, Text } from "ink";
import { sanitise } from "../../src/lib/sanitise.js";
import { columns } from "../../state/selectors.js";
import { useAppState } from "../app-context.js";
import { useTheme } from "../theme/use-theme.js";

/** Prompts listed at most; more are counted. */
const maxListed = 3;

export const QueuedPrompts = () => {
  const theme = useTheme();
  const queued = useAppState((state) => state.input.queued);
  const width = useAppState(columns);
  if (queued.length === 0) return null;
  const more = queued.length - maxListed;
  return (
    <Box flexDirection="column" width={width} flexShrink={0}>
      {queued.slice(0, maxListed).map((prompt, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: prompts may be equal and have no other identity here
        <Text key={`${at}${prompt}`} wrap="truncate" {...theme.ink("dim")}>
          {`  ○ ${sanitise(prompt).split("\n")[0]}`}
        </Text>
      ))}
      <Text wrap="truncate" {...theme.ink("dim")}>
        {`    ${more > 0 ? `${more} more · ` : ""}waits for its turn · ↑ takes it back`}
      </Text>
    </Box>
  );
};
