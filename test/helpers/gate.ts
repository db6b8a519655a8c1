// A gate: something waits at it until the test opens it. Lets tests prove an order without sleeping.

export interface Gate {
  /** Resolves when the gate opens. */
  opened: Promise<void>;
  isOpen: boolean;
  /** Opens the gate; a second call does nothing. */
  release(): void;
}

/** A closed gate. */
export const gate = (): Gate => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const self: Gate = {
    opened: promise,
    isOpen: false,
    release: () => {
      self.isOpen = true;
      resolve();
    },
  };
  return self;
};
