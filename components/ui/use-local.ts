// Hook for a component's own state that key handlers read fresh: several keys may come before the next render.
import { useState } from "react";
import { useStore } from "zustand";
import { createStore } from "zustand/vanilla";

export interface Local<T> {
  value: T;
  /** The newest state, also between renders. */
  get: () => T;
  set: (change: Partial<T>) => void;
}

export const useLocal = <T extends object>(initial: () => T): Local<T> => {
  const [store] = useState(() => createStore<T>()(initial));
  const value = useStore(store);
  return { value, get: store.getState, set: (change) => store.setState(change) };
};
