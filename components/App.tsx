// App: theme, services and keys around the layout.
import { type ReactNode, useMemo } from "react";
import { type AppServices, AppServicesContext } from "./app-context.js";
import { createGlobalKeys, type ScrollPort, type TerminalPort } from "./keys/global-keys.js";
import type { KeyRouter } from "./keys/key-router.js";
import { KeyRouterContext, useKeys, useRootKeys } from "./keys/use-keymap.js";
import { Repl } from "./Repl.js";
import type { Theme } from "./theme/themes.js";
import { ThemeContext } from "./theme/use-theme.js";

export interface AppProps {
  services: AppServices;
  router: KeyRouter;
  scroll: ScrollPort;
  terminal: TerminalPort;
  theme: Theme;
  /** The transcript: it publishes rows and draws nothing here. */
  children?: ReactNode;
}

const Keys = ({ services, router, scroll, terminal }: Omit<AppProps, "theme" | "children">) => {
  const onKey = useMemo(() => createGlobalKeys(services, scroll, terminal), [services, scroll, terminal]);
  useRootKeys(router);
  useKeys({ context: "global", onKey });
  return null;
};

export const App = ({ theme, children, ...rest }: AppProps) => (
  <ThemeContext.Provider value={theme}>
    <AppServicesContext.Provider value={rest.services}>
      <KeyRouterContext.Provider value={rest.router}>
        <Keys {...rest} />
        {children}
        <Repl />
      </KeyRouterContext.Provider>
    </AppServicesContext.Provider>
  </ThemeContext.Provider>
);
