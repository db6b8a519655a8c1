// What the model is told by /statusline.

/** `wish`: what the line is to show, "" for a sensible default. */
export const statusLinePrompt = (wish: string): string =>
  `Set up the person's status line: a command whose output stands below the prompt.

How it works: the setting \`statusLine\` in the user's settings.json is {"type": "command", "command": "<shell command>", "padding": 0}. The command gets JSON on its standard input and prints one to three lines; colours (SGR) and links (OSC 8) are kept, everything else is removed. It runs after each answer and each change of model, mode or size, 300 ms after the last of them; one that takes longer than 10 s is given up. COLUMNS and LINES tell the size of the screen.

Fields of the JSON: session_id, session_name, transcript_path, cwd, version, model.id, model.display_name, workspace.current_dir, workspace.project_dir, workspace.added_dirs, output_style.name, cost.total_cost_usd, cost.total_duration_ms, cost.total_api_duration_ms, cost.total_lines_added, cost.total_lines_removed, context_window.context_window_size, context_window.used_percentage, context_window.remaining_percentage, context_window.current_usage, effort.level, thinking.enabled, vim.mode. A key that does not apply is absent.

What it is to show: ${wish === "" ? "if the person's shell has a prompt of its own (PS1 in ~/.zshrc, ~/.bashrc, ~/.bash_profile or ~/.profile), something like it, without a trailing $ or >; otherwise folder, git branch, model and how full the context is." : wish}

1. Read what you need. Write the script to statusline.sh beside the user's settings.json (the folder in CLAUDE_CONFIG_DIR, or ~/.claude), fast and without network access; \`git\` with --no-optional-locks; when a tool such as jq is missing, do without it.
2. Test it by piping a sample JSON into it.
3. Set \`statusLine\` in settings.json and keep everything else in that file as it is.
Then tell the person what it shows and how to switch it off (remove the setting).`;
