// A promise that is settled from outside.

export interface Deferred<T> {
  promise: Promise<T>;
  /** True once settled. */
  isSettled(): boolean;
  /** Settles it; a second call does nothing. */
  resolve(value: T): void;
}

/** An open deferred. It never rejects: a failure is a value too. */
export const createDeferred = <T>(): Deferred<T> => {
  let settle: (value: T) => void = () => undefined;
  let isSettled = false;
  const promise = new Promise<T>((resolve) => {
    settle = resolve;
  });
  return {
    promise,
    isSettled: () => isSettled,
    resolve: (value) => {
      isSettled = true;
      settle(value);
    },
  };
};
