// The words around a compaction: the request for a summary, and the message that carries it into the fresh context.

const summaryHeadings = [
  "## Request: what the person asked for, in their words where wording matters, with every later correction and preference",
  "## State: what is done and verified, what is done but unchecked, what is left, in order",
  "## Now: what was being done at this very moment, and the next step",
  "## Files: each path that matters, what it is for, what was changed in it, with the snippets or signatures still needed",
  "## Findings: facts learned about the code, commands that work here, dead ends and why they failed",
  "## Errors: those met and how each was solved, or that it is open",
  "## Decisions: choices made, by whom and why; permissions given or refused",
].join("\n");

/** The last user message of a compaction call. `focus` is what the person typed after /compact. */
export const compactPrompt = (focus?: string): string =>
  [
    "Stop working and write a summary of this conversation. It replaces the conversation: whoever goes on knows nothing but your summary, so what is not in it is lost. Answer with the summary only and call no tools.",
    "Be exact rather than short where work is unfinished; leave out what is done and of no further use. Use these headings, and leave out those that would be empty:",
    summaryHeadings,
    'If the project\'s instructions have a section "Compact instructions", follow it.',
    focus?.trim() ? `The person asks for special attention to: ${focus.trim()}` : undefined,
  ]
    .filter(Boolean)
    .join("\n\n");

/** The first user message after a compaction. `request`: what the person asked for last, kept word for word. */
export const summaryMessage = (summary: string, transcriptPath: string | undefined, request?: string): string =>
  [
    "This continues an earlier conversation that grew too long. Its summary:",
    summary.trim(),
    request?.trim() ? `The last thing the person asked for, word for word:\n${request.trim()}` : undefined,
    transcriptPath
      ? `If a detail is missing, the whole earlier conversation is in ${transcriptPath} (one JSON object a line): search it rather than guess.`
      : undefined,
    "Go on from where it stopped, without recapitulating and without asking whether to go on.",
  ]
    .filter(Boolean)
    .join("\n\n");

/** Stands for a summary that no model could make: what was asked and what was called, without judgement. */
export const summaryWithoutModel = (requests: readonly string[], calls: string): string =>
  [
    "The conversation was too long to be summarised by a model, so this is only a list of what happened in it.",
    requests.length > 0 ? `## Request\n${requests.map((text) => `- ${text}`).join("\n")}` : undefined,
    calls ? `## Calls\n${calls}` : undefined,
  ]
    .filter(Boolean)
    .join("\n\n");

/** Stands at the place of what was left out of a conversation in order to summarise the rest. */
export const peeledText = "[The oldest part of the conversation is left out here: it did not fit.]";

/** The last user message of a run in the background that keeps notes of the session. */
export const notesPrompt = (): string =>
  [
    "Write notes of this session now, beside the work: they will stand in for the conversation when it has grown too long, so what is not in them is lost then. Answer with the notes only, call no tools and do not go on with the task.",
    "Be exact rather than short where work is unfinished. Use these headings, and leave out those that would be empty:",
    summaryHeadings,
  ].join("\n\n");
