// Sends a small JSON text to a service the person set up, and reads its answer.

export interface PostOptions {
  body: string;
  timeoutMs: number;
  signal: AbortSignal;
  /** Beside the content type. */
  headers?: Readonly<Record<string, string>>;
  /** Bytes of the answer that are read at most; more is an error. */
  maxBytes?: number;
}

const defaultMaxBytes = 10 * 1024 * 1024;

const readText = async (answer: Response, maxBytes: number): Promise<string> => {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of answer.body ?? []) {
    size += chunk.length;
    if (size > maxBytes) throw new Error(`its answer is longer than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
};

/** The answer's text. Throws an Error that says what went wrong; redirects are not followed. */
export const httpPost = async (url: string, options: PostOptions): Promise<string> => {
  const { body, timeoutMs, signal, headers, maxBytes = defaultMaxBytes } = options;
  const limit = AbortSignal.timeout(timeoutMs);
  try {
    const answer = await fetch(url, {
      method: "POST",
      headers: { ...headers, "content-type": "application/json", accept: "application/json" },
      body,
      redirect: "error",
      signal: AbortSignal.any([signal, limit]),
    });
    if (!answer.ok) throw new Error(`it answered ${answer.status} ${answer.statusText}`.trim());
    return await readText(answer, maxBytes);
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
