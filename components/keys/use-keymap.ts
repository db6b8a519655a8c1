// Hooks that connect components with the key router: one root reader, any number of layers.
import { useInput, usePaste } from "ink";
import { createContext, useContext, useLayoutEffect, useRef } from "react";
import { pressesOf } from "./key-press.js";
import { createKeyRouter, type KeyLayer, type KeyRouter } from "./key-router.js";

export const KeyRouterContext = createContext<KeyRouter>(createKeyRouter(() => Date.now()));

export const useKeyRouter = (): KeyRouter => useContext(KeyRouterContext);

/** The one reader of keys and pastes: call it once, at the root. */
export const useRootKeys = (router: KeyRouter): void => {
  useInput((input, key) => {
    for (const press of pressesOf(input, key)) router.press(press);
  });
  usePaste((text) => router.paste(text));
};

/** Takes keys for a context while the component is mounted. The handlers of the newest render are used. */
export const useKeys = (layer: KeyLayer): void => {
  const router = useKeyRouter();
  const newest = useRef(layer);
  newest.current = layer;
  const { context } = layer;
  useLayoutEffect(
    () =>
      router.add({
        context,
        onKey: (press) => newest.current.onKey(press),
        onPaste: (text) => newest.current.onPaste?.(text) ?? false,
      }),
    [router, context],
  );
};
