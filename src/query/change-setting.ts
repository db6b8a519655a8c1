// Answers the dialog that asks for a change of a setting.
import type { Emit } from "../execution/context.js";
import type { RequestOf } from "../protocol/requests.js";
import { announce } from "./announce.js";
import type { Session } from "./session.js";
import { changeSetting, settingRows } from "./settings-rows.js";

/** Changes the setting and tells the rows as they are now; a failure is told with them. */
export const answerChange = async (
  session: Session,
  { key, value }: RequestOf<"change_setting">,
  emit: Emit,
): Promise<void> => {
  const done = await changeSetting(session, key, value, emit).then(
    (text) => ({ text, isError: false }),
    (error: unknown) => ({ text: error instanceof Error ? error.message : String(error), isError: true }),
  );
  if (!done.isError) await announce(session, "change", emit);
  await emit({ type: "setting_rows", key, settings: settingRows(session), ...done });
};
