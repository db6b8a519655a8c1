// PickerHost: the picker or page that a command opened, in the place of the prompt.
import { unreachable } from "../../src/lib/unreachable.js";
import { AgentPage } from "../agents/AgentPage.js";
import { useAppState } from "../app-context.js";
import { ContextPicker } from "./ContextPicker.js";
import { Help } from "./Help.js";
import { HooksPicker } from "./HooksPicker.js";
import { ListPicker } from "./ListPicker.js";
import { McpPicker } from "./McpPicker.js";
import { MemoryPicker } from "./MemoryPicker.js";
import { ModelPicker } from "./ModelPicker.js";
import { Page } from "./Page.js";
import { PermissionsDialog } from "./PermissionsDialog.js";
import { RewindPicker } from "./RewindPicker.js";
import { SessionPicker } from "./SessionPicker.js";
import { SettingsDialog } from "./SettingsDialog.js";
import { TaskOutput } from "./TaskOutput.js";
import { TasksPicker } from "./TasksPicker.js";
import { ThemePicker } from "./ThemePicker.js";

export const PickerHost = () => {
  const picker = useAppState((state) => state.picker);
  if (!picker) return null;
  switch (picker.kind) {
    case "help":
      return <Help help={picker} />;
    case "model":
      return <ModelPicker models={picker.models} />;
    case "sessions":
      return <SessionPicker data={picker} />;
    case "permissions":
      return <PermissionsDialog data={picker} />;
    case "memory":
      return <MemoryPicker files={picker.files} />;
    case "hooks":
      return <HooksPicker data={picker} />;
    case "tasks":
      return <TasksPicker />;
    case "task_output":
      return <TaskOutput shown={picker} />;
    case "context":
      return <ContextPicker data={picker} />;
    case "rewind":
      return <RewindPicker data={picker} />;
    case "theme":
      return <ThemePicker />;
    case "mcp":
      return <McpPicker data={picker} />;
    case "settings":
      return <SettingsDialog data={picker} />;
    case "list":
      return <ListPicker data={picker} />;
    case "page":
      return picker.agentId === undefined ? <Page page={picker} /> : <AgentPage first={picker} />;
    default:
      return unreachable(picker);
  }
};
