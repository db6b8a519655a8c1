// TranscriptView: keys and wheel move the transcript's model; what the footer needs to know of it is a small store.
import { createStore, type StoreApi } from "zustand/vanilla";
import type { ScrollPort } from "./keys/global-keys.js";
import type { TranscriptModel } from "./transcript/model.js";

export interface ViewState {
  isFollowing: boolean;
  /** Counts up with every move of the view. */
  moves: number;
}

export interface TranscriptView extends ScrollPort {
  store: StoreApi<ViewState>;
  /** A step of the mouse wheel: -1 is towards older output. Quick steps go further. */
  wheel(direction: 1 | -1): void;
  /** Items that came below since the reader left the end. */
  newCount(): number;
  /** Index of the first item in view; undefined while the reader follows the end. */
  firstShown(): number | undefined;
}

const wheelRows = 3;
/** Wheel steps closer than this count as one quick movement. */
const quickMs = 40;
const quickRows = 6;

/** `draw`: asks for a frame at once. */
export const createTranscriptView = (options: {
  model: TranscriptModel;
  draw: () => void;
  now: () => number;
}): TranscriptView => {
  const { model, draw, now } = options;
  const store = createStore<ViewState>()(() => ({ isFollowing: true, moves: 0 }));
  let lastWheelAt = Number.NEGATIVE_INFINITY;
  const moved = (move: () => void): void => {
    move();
    store.setState(({ moves }) => ({ isFollowing: model.isFollowing, moves: moves + 1 }));
    draw();
  };
  return {
    store,
    lines: (count) => moved(() => model.scrollBy(count)),
    page: (direction) => moved(() => model.page(direction)),
    top: () => moved(() => model.toTop()),
    bottom: () => {
      if (!model.isFollowing) moved(() => model.toEnd());
    },
    wheel: (direction) => {
      const isQuick = now() - lastWheelAt < quickMs;
      lastWheelAt = now();
      moved(() => model.scrollBy(direction * (isQuick ? quickRows : wheelRows)));
    },
    newCount: () => model.newCount,
    firstShown: () => model.anchor?.messageIndex,
  };
};
