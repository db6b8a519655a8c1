// Logins of http servers by OAuth: where tokens are kept, and the provider through which the package asks for them.
import { createHash } from "node:crypto";
import { join } from "node:path";
import type {
  OAuthClientInformationContext,
  OAuthClientMetadata,
  OAuthClientProvider,
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from "@modelcontextprotocol/client";
import { createKeychain, type Keychain, type KeychainOptions } from "../auth/keychain.js";
import type { Env } from "../platform/paths.js";
import { withFileLock } from "../settings/lock.js";
import type { RemoteConfig, ServerConfig } from "./server-config.js";
import { serverFetch } from "./server-fetch.js";

/** What is kept of a login. */
export interface StoredLogin {
  client?: StoredOAuthClientInformation;
  /** The client was registered with this address. */
  redirectUrl?: string;
  tokens?: StoredOAuthTokens;
}

export interface LoginStore {
  read(): Promise<StoredLogin>;
  write(change: Partial<StoredLogin>): Promise<void>;
  /** True when there was something to forget. */
  forget(): Promise<boolean>;
}

/** The store of one server's login: the system's keychain, or a file that only the person can read. */
export const loginStore = (
  server: string,
  url: string,
  options: Pick<KeychainOptions, "configDir" | "openStore">,
): LoginStore => {
  const id = createHash("sha256").update(`${server}\0${url}`).digest("hex").slice(0, 16);
  const secret = { account: `mcp-${id}`, field: `mcpOAuth-${id}` };
  const keychain: Keychain = createKeychain({ ...options, secret });
  const read = async (): Promise<StoredLogin> => {
    try {
      const value: unknown = JSON.parse((await keychain.get()) ?? "{}");
      return typeof value === "object" && value !== null ? (value as StoredLogin) : {};
    } catch {
      return {}; // damaged: the person logs in again
    }
  };
  // Other servers, and other sessions, keep theirs in the same file.
  const file = join(options.configDir, ".credentials.json");
  return {
    read,
    write: (change) =>
      withFileLock(file, async () => {
        await keychain.set(JSON.stringify({ ...(await read()), ...change }));
      }),
    forget: () => withFileLock(file, () => keychain.remove()),
  };
};

/** A request met a server that wants a login, and nobody asked for one now. */
export class LoginNeeded extends Error {
  override name = "LoginNeeded";
}

export interface AuthOptions {
  config: RemoteConfig;
  store: LoginStore;
  /** For the proxy variables. */
  env: Env;
  /** During a login: where the browser comes back to, and how the page is shown. Absent: no login is begun. */
  login?: { redirectUrl: string; state: string; show(url: URL): void };
}

/** The address that is told where none listens: only used to refresh. */
const idleRedirect = "http://127.0.0.1/callback";

const metadataMs = 30_000;

class StoredProvider implements OAuthClientProvider {
  #verifier = "";
  /** The tokens that were handed out last. */
  #used: string | undefined;
  #discovered: OAuthDiscoveryState | undefined;

  constructor(private readonly options: AuthOptions) {}

  get redirectUrl(): string {
    return this.options.login?.redirectUrl ?? idleRedirect;
  }

  get clientMetadata(): OAuthClientMetadata {
    const { scopes } = this.options.config.oauth;
    return {
      client_name: "Claude terminal agent",
      redirect_uris: [this.redirectUrl],
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      token_endpoint_auth_method: "none",
      ...(scopes ? { scope: scopes } : {}),
    };
  }

  state(): string {
    return this.options.login?.state ?? "";
  }

  async clientInformation(context?: OAuthClientInformationContext): Promise<StoredOAuthClientInformation | undefined> {
    const { clientId } = this.options.config.oauth;
    // The person gave it for this server, whichever login server it names; it is no secret.
    if (clientId) return { client_id: clientId, ...(context?.issuer ? { issuer: context.issuer } : {}) };
    const { client, redirectUrl } = await this.options.store.read();
    if (client === undefined && !this.options.login) throw new LoginNeeded("it wants a login (401 unauthorized)");
    // Registered for another address: most servers would refuse this one.
    const isFit = !this.options.login || redirectUrl === this.redirectUrl;
    return isFit ? client : undefined;
  }

  async saveClientInformation(client: StoredOAuthClientInformation): Promise<void> {
    await this.options.store.write({ client, redirectUrl: this.redirectUrl });
  }

  async tokens(): Promise<StoredOAuthTokens | undefined> {
    const { tokens } = await this.options.store.read();
    this.#used = JSON.stringify(tokens);
    return tokens;
  }

  /** Kept for one login only: who sends the code must be who was asked for it. */
  saveDiscoveryState(state: OAuthDiscoveryState): void {
    if (this.options.login) this.#discovered = state;
  }

  /** What is known of the login server beforehand: what this login found, or the metadata that the entry names. */
  async discoveryState(): Promise<OAuthDiscoveryState | undefined> {
    const { config, env } = this.options;
    const { authServerMetadataUrl: url } = config.oauth;
    if (this.#discovered || !url) return this.#discovered;
    const answer = await serverFetch({ url, env })(url, { signal: AbortSignal.timeout(metadataMs) });
    if (!answer.ok) throw new Error(`oauth.authServerMetadataUrl ${url} answered ${answer.status}`);
    const metadata = (await answer.json()) as OAuthDiscoveryState["authorizationServerMetadata"];
    return { authorizationServerUrl: metadata?.issuer ?? new URL(url).origin, authorizationServerMetadata: metadata };
  }

  async saveTokens(tokens: StoredOAuthTokens): Promise<void> {
    await this.options.store.write({ tokens });
  }

  redirectToAuthorization(url: URL): void {
    if (!this.options.login) throw new LoginNeeded("it wants a login (401 unauthorized)");
    this.options.login.show(url);
  }

  saveCodeVerifier(verifier: string): void {
    this.#verifier = verifier;
  }

  codeVerifier(): string {
    return this.#verifier;
  }

  async invalidateCredentials(scope: "all" | "client" | "tokens" | "verifier" | "discovery"): Promise<void> {
    if (scope === "all" || scope === "tokens") {
      // Another session may have got new ones with the same login meanwhile: those are good.
      const { tokens } = await this.options.store.read();
      if (JSON.stringify(tokens) === this.#used) await this.options.store.write({ tokens: undefined });
    }
    if (scope === "all" || scope === "client")
      await this.options.store.write({ client: undefined, redirectUrl: undefined });
  }
}

/** A provider that uses and refreshes what is stored; it opens a browser only during a login. */
export const authProvider = (options: AuthOptions): OAuthClientProvider => new StoredProvider(options);

/** The stored login of each http server, for a settings folder. `env`: for the proxy variables. */
export const sharedAuth =
  (configDir: string, env: Env) =>
  (server: string, config: ServerConfig): OAuthClientProvider | undefined =>
    config.type === "stdio"
      ? undefined
      : authProvider({ config, env, store: loginStore(server, config.url, { configDir }) });
