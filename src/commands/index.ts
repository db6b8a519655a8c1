// The built-in slash commands, in the order /help shows them.
import { addDir } from "./add-dir.js";
import { branch } from "./branch.js";
import { clear } from "./clear.js";
import type { Command } from "./command.js";
import { compact } from "./compact.js";
import { config } from "./config.js";
import { context } from "./context.js";
import { copy } from "./copy.js";
import { cost } from "./cost.js";
import { effort } from "./effort.js";
import { exit } from "./exit.js";
import { exportConversation } from "./export.js";
import { help } from "./help.js";
import { hooks } from "./hooks.js";
import { keybindings } from "./keybindings.js";
import { login, logout } from "./login.js";
import { mcp } from "./mcp.js";
import { memory } from "./memory.js";
import { model } from "./model.js";
import { mouse } from "./mouse.js";
import { outputStyle } from "./output-style.js";
import { permissions } from "./permissions.js";
import { plan } from "./plan.js";
import { promptCommands } from "./prompts/index.js";
import { rename } from "./rename.js";
import { resume } from "./resume.js";
import { rewind } from "./rewind.js";
import { sandbox } from "./sandbox.js";
import { status } from "./status.js";
import { tasks } from "./tasks.js";
import { theme } from "./theme.js";
import { tui } from "./tui.js";
import { vim } from "./vim.js";
import { why } from "./why.js";

export const allCommands: readonly Command[] = [
  help,
  clear,
  compact,
  context,
  cost,
  model,
  permissions,
  hooks,
  sandbox,
  plan,
  resume,
  rewind,
  branch,
  rename,
  exportConversation,
  memory,
  mcp,
  status,
  config,
  outputStyle,
  effort,
  addDir,
  copy,
  login,
  logout,
  theme,
  tui,
  mouse,
  keybindings,
  vim,
  tasks,
  why,
  ...promptCommands,
  exit,
];

/** The command of this name or alias (without the slash, in any case). */
export const findCommand = (name: string): Command | undefined => {
  const lower = name.toLowerCase();
  return allCommands.find((command) => command.name === lower || command.aliases.includes(lower));
};
