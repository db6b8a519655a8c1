// The rooms of the house and who may import whom: the one table that linter and tests are held to.

/** Rooms of src/ by storey, ground floor first. A room imports only from lower storeys. */
export const storeys: readonly (readonly string[])[] = [
  ["protocol", "platform", "lib"],
  ["settings", "auth"],
  ["providers", "sessions", "memory", "agents", "tasks", "skills", "hooks", "mcp", "lsp", "sandbox", "plugins"],
  ["permissions", "prompt"],
  ["tools"],
  ["execution", "context", "commands"],
  ["query"],
  ["entrypoints"],
];

export const rooms: readonly string[] = storeys.flat();

const storeyOf = (room: string): number => storeys.findIndex((storey) => storey.includes(room));

/** Neighbours that may be imported all the same. */
const sideways: Record<string, readonly string[]> = {
  platform: ["protocol", "lib"],
  protocol: ["lib"],
  plugins: storeys[2] ?? [],
};

/** Whether a file of room `from` may import a file of room `to` (rooms of src/, or "state", "components"). */
export const mayImport = (from: string, to: string): boolean => {
  if (from === to || from === "entrypoints") return true;
  if (from === "components") return to === "state" || to === "protocol" || to === "lib";
  if (from === "state") return to === "protocol" || to === "lib";
  if (to === "components" || to === "state") return false;
  return storeyOf(to) < storeyOf(from) || (sideways[from]?.includes(to) ?? false);
};
