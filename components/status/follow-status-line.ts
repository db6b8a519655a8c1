// Asks for the status line anew when what it tells may have changed; no timer runs while nothing does.
import type { Actions } from "../../state/actions.js";
import type { AppState } from "../../state/app-state.js";
import type { AppStore } from "../../state/store.js";
import type { PromptStore } from "../prompt/prompt-store.js";

export interface FollowOptions {
  store: AppStore;
  promptStore: PromptStore;
  actions: Pick<Actions, "refreshStatusLine">;
  /** Quiet time after the last change. */
  debounceMs: number;
}

interface LineSetting {
  refreshInterval?: number;
  padding?: number;
  hideVimModeIndicator?: boolean;
}

/** The setting `statusLine` of a session that may run it. */
export const lineSetting = ({ session }: Pick<AppState, "session">): LineSetting | undefined => {
  const value = session?.trusted ? session.interface?.statusLine : undefined;
  return typeof value === "object" && value !== null ? (value as LineSetting) : undefined;
};

const mayDiffer = (now: AppState, before: AppState): boolean =>
  now.session !== before.session ||
  now.mode !== before.mode ||
  now.usage !== before.usage ||
  now.size.columns !== before.size.columns;

/** Follows the session for as long as the program runs. */
export const followStatusLine = ({ store, promptStore, actions, debounceMs }: FollowOptions): void => {
  let timer: NodeJS.Timeout | undefined;
  const later = (ms: number): void => {
    clearTimeout(timer);
    timer = setTimeout(refresh, ms);
    timer.unref();
  };
  const refresh = (): void => {
    const setting = lineSetting(store.getState());
    if (!setting) return;
    const { size } = store.getState();
    const vim = promptStore.getState().vim?.mode.toUpperCase();
    actions.refreshStatusLine({ columns: size.columns, rows: size.rows, ...(vim === undefined ? {} : { vim }) });
    if (setting.refreshInterval !== undefined) later(setting.refreshInterval * 1000);
  };
  const changed = (): void => {
    if (lineSetting(store.getState())) later(debounceMs);
    else {
      clearTimeout(timer);
      if (store.getState().statusLine !== null) store.setState({ statusLine: null });
    }
  };
  store.subscribe((now, before) => {
    if (mayDiffer(now, before)) changed();
  });
  promptStore.subscribe(({ vim }, before) => {
    if (vim?.mode !== before.vim?.mode) changed();
  });
};
