// Inlay: rows that change many times a second. Ink keeps room for them and does no work when they change; the terminal
// asks for them when it draws. One at a time. Where Ink's frames are all there is (tests) they are text.
import { Text } from "ink";
import { useLayoutEffect } from "react";
import type { AppState } from "../../state/app-state.js";
import { useAppState, useServices } from "../app-context.js";
import { inlayMarks } from "../terminal/inlay.js";
import type { InlaySurface } from "./inlay-surface.js";

export interface InlayProps {
  /** How many rows there are, whatever they say. */
  count: number;
  /** What they say now, each at most as wide as the screen. */
  make: () => readonly string[];
  /** The part of the state they are made of: when it changes they are drawn anew. */
  of: (state: AppState) => unknown;
}

const Drawn = ({ count, make, of, surface }: InlayProps & { surface: InlaySurface }) => {
  const { store } = useServices();
  useLayoutEffect(() => {
    surface.setInlay(make);
    surface.request(true);
    return () => surface.setInlay(() => []);
  }, [make, surface]);
  useLayoutEffect(
    () =>
      store.subscribe((state, before) => {
        // With another number of rows Ink draws: its frame comes in a moment.
        if (of(state) !== of(before) && make().length === count) surface.request(false);
      }),
    [store, surface, of, make, count],
  );
  return <Text>{inlayMarks(count)}</Text>;
};

const AsText = ({ make, of }: InlayProps) => {
  useAppState(of);
  return <Text wrap="truncate">{make().join("\n")}</Text>;
};

export const Inlay = (props: InlayProps) => {
  const { inlay } = useServices();
  return inlay ? <Drawn {...props} surface={inlay} /> : <AsText {...props} />;
};
