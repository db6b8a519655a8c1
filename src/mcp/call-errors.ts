// What the failure of a call says about its connection.
import type { ServerConfig } from "./server-config.js";

/** The connection is gone; whether the call was done is not known. */
export const isLost = (error: unknown): boolean => {
  const { code, message } = error as { code?: unknown; message?: string };
  return (
    code === "CONNECTION_CLOSED" ||
    code === "NOT_CONNECTED" ||
    /connection closed|not connected|fetch failed|session not found/i.test(message ?? "")
  );
};

const httpStatus = (error: unknown): number | undefined => {
  const { status, data } = error as { status?: unknown; data?: { status?: unknown } };
  return [status, data?.status].find((value) => typeof value === "number");
};

/** The server does not know our session any more (it was started anew): what was asked was not done. */
export const isForgotten = (error: unknown, config: ServerConfig | undefined): boolean =>
  config?.type === "http" && httpStatus(error) === 404;

/** The server does not let us in any more, and no refresh helped. */
export const wantsLogin = (error: unknown, config: ServerConfig | undefined): boolean =>
  config?.type !== "stdio" &&
  (httpStatus(error) === 401 || (error instanceof Error && /^(LoginNeeded|UnauthorizedError)$/.test(error.name)));
