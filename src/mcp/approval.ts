// What a server of a project would do, in words, for the dialog that asks about it before anything of it starts.
import { isInnerHost, literalAddress } from "../platform/http/addresses.js";
import type { ServerEntry } from "./config.js";
import { type RemoteConfig, serverTarget, variablesIn } from "./server-config.js";

const isLinkLocal = (host: string): boolean =>
  /^(169\.254\.|fe80:|\[fe80:|fd00:ec2:)/i.test(literalAddress(host) ?? host);

/** A warning where an address leads into this machine or a private network. */
const placeWarning = ({ url }: RemoteConfig): string[] => {
  const { hostname } = new URL(url);
  if (isLinkLocal(hostname) || /^metadata(\.google\.internal)?$/i.test(hostname))
    return [`! ${hostname} is a link-local address: on cloud machines it hands out credentials.`];
  if (isInnerHost(hostname))
    return [`! ${hostname} is on this machine or in your private network, not on the internet.`];
  return [];
};

const remoteLines = (config: RemoteConfig): string[] => [
  ...placeWarning(config),
  ...(config.headersHelper === undefined ? [] : [`For its headers it runs: ${config.headersHelper}`]),
];

/** Where an entry is written, what it runs or asks, and what it would get of yours. */
export const approvalText = ({ file, config, problem, raw }: ServerEntry): string => {
  const variables = variablesIn(raw);
  return [
    `The server is written in ${file}.`,
    config
      ? `${config.type === "stdio" ? "It runs" : "It asks"}: ${serverTarget(config)}`
      : `It cannot start: ${problem}`,
    ...(config && config.type !== "stdio" ? remoteLines(config) : []),
    ...(variables.length > 0 ? [`It gets your variables: ${variables.join(", ")}`] : []),
  ].join("\n");
};
