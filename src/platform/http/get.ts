// One HTTP GET with limits in time and size, to an address that was checked before it is connected to.
import { type LookupAddress, lookup as resolveName } from "node:dns";
import type { IncomingMessage, RequestOptions } from "node:http";
import type { LookupFunction } from "node:net";
import type { Readable } from "node:stream";
import type { Env } from "../paths.js";
import { literalAddress } from "./addresses.js";
import { proxyFor } from "./proxy.js";

export interface GetOptions {
  headers: Readonly<Record<string, string>>;
  /** Longest body, after decompression; the rest is cut off. */
  maxBytes: number;
  timeoutMs: number;
  signal: AbortSignal;
  /** For the proxy variables. */
  env: Env;
  /** Asked for every address of the host before it is connected to. Behind a proxy only for addresses in the URL itself. */
  mayReach(address: string): boolean;
}

export interface HttpAnswer {
  status: number;
  statusText: string;
  /** Names in lower case; repeated ones joined by commas. */
  headers: Record<string, string>;
  body: Buffer;
  /** The body was longer than `maxBytes`. */
  isCut: boolean;
}

/** Why there is no answer. `message` is a clause: "no answer within 30 s". */
export class HttpProblem extends Error {
  override name = "HttpProblem";
  readonly kind: "address" | "timeout" | "connection";
  /** The address that may not be reached. */
  readonly address: string | undefined;
  constructor(kind: HttpProblem["kind"], message: string, address?: string) {
    super(message);
    this.kind = kind;
    this.address = address;
  }
}

/** Sends the request and reads the answer. Redirects are answers. Throws HttpProblem; the signal's reason when it aborts. */
export const httpGet = async (url: URL, options: GetOptions): Promise<HttpAnswer> => {
  const literal = literalAddress(url.hostname);
  if (literal !== undefined && !options.mayReach(literal)) throw refused(url.hostname, literal);
  const limit = AbortSignal.timeout(options.timeoutMs);
  const signal = AbortSignal.any([options.signal, limit]);
  try {
    return await readAnswer(await send(url, options, signal), options.maxBytes, signal);
  } catch (error) {
    options.signal.throwIfAborted();
    if (limit.aborted) throw new HttpProblem("timeout", `no complete answer within ${options.timeoutMs / 1000} s`);
    throw error instanceof HttpProblem ? error : new HttpProblem("connection", connectionText(error, url.hostname));
  }
};

const refused = (host: string, address: string): HttpProblem =>
  new HttpProblem("address", `${host} is at ${address}, an address of this machine or of a private network`, address);

const send = async (url: URL, options: GetOptions, signal: AbortSignal): Promise<IncomingMessage> => {
  const { Agent, request } = url.protocol === "https:" ? await import("node:https") : await import("node:http");
  const proxy = proxyFor(url, options.env);
  // An agent of its own: the connection is closed after the answer and no idle socket stays behind.
  const agent = new Agent(proxy === undefined ? {} : { proxyEnv: { HTTP_PROXY: proxy, HTTPS_PROXY: proxy } });
  const settings: RequestOptions = {
    method: "GET",
    agent,
    signal,
    headers: { "accept-encoding": "gzip, br, deflate", ...options.headers },
    ...(proxy === undefined ? { lookup: checkedLookup(options.mayReach) } : {}),
  };
  return new Promise((resolve, reject) => {
    request(url, settings, resolve).on("error", reject).end();
  });
};

/** Resolves a name once; the very addresses that were checked are the ones connected to. */
const checkedLookup =
  (mayReach: GetOptions["mayReach"]): LookupFunction =>
  (hostname, settings, callback) => {
    resolveName(hostname, { ...settings, all: true }, (error, addresses: LookupAddress[]) => {
      if (error) return callback(error, "", 0);
      const bad = addresses.find(({ address }) => !mayReach(address));
      if (bad) return callback(refused(hostname, bad.address), "", 0);
      const [first] = addresses;
      if (settings.all) callback(null, addresses);
      else callback(null, first?.address ?? "", first?.family ?? 0);
    });
  };

const readAnswer = async (message: IncomingMessage, maxBytes: number, signal: AbortSignal): Promise<HttpAnswer> => {
  const headers = Object.fromEntries(
    Object.entries(message.headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(", ") : (value ?? ""),
    ]),
  );
  const chunks: Buffer[] = [];
  let size = 0;
  let isCut = false;
  try {
    for await (const chunk of await decoded(message, headers["content-encoding"])) {
      signal.throwIfAborted();
      const bytes = chunk as Buffer;
      chunks.push(bytes.subarray(0, maxBytes - size));
      size += bytes.length;
      isCut = size > maxBytes;
      if (isCut) break;
    }
  } finally {
    message.destroy();
  }
  return {
    status: message.statusCode ?? 0,
    statusText: message.statusMessage ?? "",
    headers,
    body: Buffer.concat(chunks),
    isCut,
  };
};

const decoded = async (message: IncomingMessage, encoding = ""): Promise<Readable> => {
  const coding = encoding.trim().toLowerCase();
  if (coding === "" || coding === "identity") return message;
  const { createBrotliDecompress, createGunzip, createInflate } = await import("node:zlib");
  const make = { gzip: createGunzip, "x-gzip": createGunzip, br: createBrotliDecompress, deflate: createInflate }[
    coding
  ];
  if (!make) throw new HttpProblem("connection", `it answered in an encoding nobody asked for (${coding})`);
  const unpack = make();
  message.on("error", (error) => unpack.destroy(error));
  return message.pipe(unpack);
};

const connectionText = (error: unknown, host: string): string => {
  const code = (error as NodeJS.ErrnoException).code ?? "";
  const text = error instanceof AggregateError ? (error.errors[0] as Error).message : (error as Error).message;
  if (code === "ENOTFOUND" || code === "EAI_AGAIN") return `the name ${host} was not found`;
  if (code === "ECONNREFUSED") return `${host} refused the connection`;
  if (/CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ALTNAME/.test(code))
    return `the certificate of ${host} is not trusted (${text}). For a private CA set NODE_EXTRA_CA_CERTS`;
  if (code === "EPROTO") return `${host} does not speak TLS there (${text})`;
  return `the connection to ${host} failed (${text || code})`;
};
