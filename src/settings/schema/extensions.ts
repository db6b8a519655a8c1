// Settings of hooks, skills, plugins, MCP servers, agents, credentials and updates.
import { z } from "zod";
import { flag, setting, text, texts } from "./entry.js";
import { hooksByEvent } from "./hooks.js";

export const extensionSettings = {
  hooks: setting(
    hooksByEvent,
    {},
    "Commands, requests and prompts of the person's at moments of the life cycle, by event.",
  ),
  disableAllHooks: setting(flag, undefined, "No hook runs, nor the status line and file suggestion commands."),
  allowManagedHooksOnly: setting(flag, undefined, "Only hooks of managed settings run.", "m"),
  allowedHttpHookUrls: setting(texts, undefined, "The only URLs that http hooks may call."),
  httpHookAllowedEnvVars: setting(texts, undefined, "The only variables that http hooks may send."),
  disableSkillShellExecution: setting(flag, false, "Skills do not run their embedded commands."),
  disableBundledSkills: setting(flag, false, "The built-in skills are off."),
  skillOverrides: setting(
    z.record(z.string(), z.enum(["on", "name-only", "user-invocable-only", "off"])),
    {},
    "How single skills are offered.",
  ),
  enabledPlugins: setting(z.record(z.string(), flag), {}, "Plugins switched on or off: plugin@marketplace."),
  extraKnownMarketplaces: setting(
    z.record(z.string(), z.looseObject({ source: z.looseObject({ source: z.string() }) })),
    {},
    "Places that plugins may come from.",
  ),
  pluginConfigs: setting(z.record(z.string(), z.looseObject({})), {}, "Options of plugins.", "um"),
  enableAllProjectMcpServers: setting(flag, undefined, "Start every server of .mcp.json without a question."),
  enabledMcpjsonServers: setting(texts, [], "Servers of .mcp.json that start."),
  disabledMcpjsonServers: setting(texts, [], "Servers of .mcp.json that do not start."),
  mcpServers: setting(z.record(z.string(), z.looseObject({})), {}, "MCP servers, by name."),
};

export const sessionSettings = {
  agent: setting(text, undefined, "Agent that answers on the main thread."),
  worktree: setting(
    z.looseObject({
      baseRef: z.enum(["fresh", "head"]).optional(),
      symlinkDirectories: texts.optional(),
      sparsePaths: texts.optional(),
      bgIsolation: z.enum(["worktree", "none"]).optional(),
    }),
    undefined,
    "How git worktrees for agents are made.",
  ),
  apiKeyHelper: setting(text, undefined, "Shell command that prints the API key."),
  skipWebFetchPreflight: setting(flag, false, "Fetch pages without asking the vendor about the domain."),
};

/** Accepted without a word because other builds know them; they have no effect here yet. */
export const otherKnownKeys: ReadonlySet<string> = new Set(
  [
    "$schema enforceAvailableModels modelOverrides fastMode fastModePerSessionOptIn advisorModel ultracode",
    "switchModelsOnFlag useAutoModeDuringPlan claudeMd subagentStatusLine spinnerTipsOverride terminalTitleFromRename",
    "promptSuggestionEnabled defaultShell keybindingFlavor vimInsertModeRemaps emojiCompletionEnabled",
    "footerLinksRegexes awaySummaryEnabled companyAnnouncements axScreenReader spellcheck voice voiceEnabled",
    "dialogExpiry inputNeededNotifEnabled agentPushNotifEnabled prUrlTemplate",
    "strictKnownMarketplaces blockedMarketplaces strictPluginOnlyCustomization disableCommandPluginSources",
    "pluginTrustMessage pluginSuggestionMarketplaces allowedChannelPlugins channelsEnabled allowedMcpServers",
    "deniedMcpServers allowManagedMcpServersOnly allowAllClaudeAiMcps disableClaudeAiConnectors disableWorkflows",
    "enableWorkflows workflowKeywordTriggerEnabled workflowSizeGuideline teammateMode disableAgentView",
    "awsAuthRefresh awsCredentialExport gcpAuthRefresh otelHeadersHelper forceLoginMethod forceLoginOrgUUID",
    "forceLoginGatewayUrl autoUpdatesChannel minimumVersion requiredMinimumVersion requiredMaximumVersion",
    "feedbackSurveyRate processWrapper crossSessionInbound isolatePeerMachines remote disableRemoteControl",
    "remoteControlAtStartup disableArtifact enableArtifact sshConfigs policyHelper parentSettingsBehavior",
    "forceRemoteSettingsRefresh disableSideloadFlags wslInheritsWindowsSettings browserExternalPageTools",
  ].flatMap((line) => line.split(" ")),
);
