// A provider that lets somebody look: each request as it leaves, and what the API counted of it.
import type { Usage } from "../protocol/messages.js";
import type { ModelRequest, Provider, StreamEvent } from "../providers/provider.js";

/** Called with each request; what it returns is called once with the counts, if they come. */
export type Look = (request: ModelRequest) => (usage: Usage) => void;

/** The same provider; requests and events pass unchanged. */
export const observed = (provider: Provider, look: Look): Provider => ({
  id: provider.id,
  stream: (request) => {
    const count = look(request);
    const stream = provider.stream(request);
    const see = (event: StreamEvent): void => {
      if (event.type === "message_start") count(event.message.usage);
    };
    return {
      get requestId() {
        return stream.requestId;
      },
      async *[Symbol.asyncIterator]() {
        for await (const event of stream) {
          see(event);
          yield event;
        }
      },
    };
  },
});
