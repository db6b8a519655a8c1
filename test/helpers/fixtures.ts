// What a vitest test needs around it, gone when the test is over.
import { onTestFinished } from "vitest";
import { type ModelServer, type ModelServerOptions, startModelServer } from "./model-server.js";
import { Workspace, type WorkspaceOptions } from "./workspace.js";

/** A workspace that goes away with the running test. */
export const createWorkspace = (options: WorkspaceOptions = {}): Workspace => {
  const workspace = new Workspace(options);
  onTestFinished(() => workspace.dispose());
  return workspace;
};

/** A model server that stops with the running test. */
export const createModelServer = async (options: ModelServerOptions = {}): Promise<ModelServer> => {
  const server = await startModelServer(options);
  onTestFinished(() => server.close());
  return server;
};
