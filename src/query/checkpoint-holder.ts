// What a session knows of its checkpoints before anything of them is needed: nothing is loaded until a call changes files.
import type { Checkpoints } from "../sessions/checkpoint.js";
import type { CommandWatch } from "../sessions/command-watch.js";
import type { TranscriptRecord } from "../sessions/record.js";

export interface LoadedCheckpoints {
  checkpoints: Checkpoints;
  watch: CommandWatch;
  /** Folder of the kept contents. */
  dir: string;
}

export interface CheckpointHolder {
  /** The transcript as it was loaded; absent: the session began here. */
  records?: readonly TranscriptRecord[];
  /** Prompts of this process before the first change. */
  begun: { id: string; at: number }[];
  loaded?: Promise<LoadedCheckpoints>;
  /** Settles when everything that was begun is written down. Never rejects. */
  pending: Promise<unknown>;
}

export const createCheckpointHolder = (): CheckpointHolder => ({ begun: [], pending: Promise.resolve() });
