// Sends a small JSON text to a service the person set up, and reads its answer.

export interface PostOptions {
  body: string;
  timeoutMs: number;
  signal: AbortSignal;
}

/** The answer's text. Throws an Error that says what went wrong; redirects are not followed. */
export const httpPost = async (url: string, { body, timeoutMs, signal }: PostOptions): Promise<string> => {
  const limit = AbortSignal.timeout(timeoutMs);
  try {
    const answer = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json" },
      body,
      redirect: "error",
      signal: AbortSignal.any([signal, limit]),
    });
    if (!answer.ok) throw new Error(`it answered ${answer.status} ${answer.statusText}`.trim());
    return await answer.text();
  } catch (error) {
    signal.throwIfAborted();
    const { message, cause } = error as Error;
    const why = limit.aborted
      ? `no answer within ${timeoutMs / 1000} s`
      : cause instanceof Error
        ? cause.message
        : message;
    throw new Error(`${new URL(url).host}: ${why}`);
  }
};
