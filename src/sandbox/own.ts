/** What the port answers for the sandbox itself: pages, their events, control routes. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { getRequestListener, type HttpBindings } from "@hono/node-server";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { Hono } from "hono";
import { eventsPath } from "../contract/sandbox.ts";
import type { Events } from "./events.ts";
import { writeFailure } from "./outgoing.ts";
import { addPages, type PagesParts } from "./pages/index.ts";

/** Performs one request and writes its answer. */
export type Serve = (incoming: IncomingMessage, outgoing: ServerResponse) => Promise<void>;

export interface OwnParts {
  /** Signing time. */
  readonly now: () => Date;
  readonly events: Events;
  readonly pages: PagesParts;
  /** Performs what is no page: a control route. */
  readonly serve: Serve;
}

/** Loaded late: the library needs the Request and Response of a browser, a quarter of a start. */
export const ownListener = (parts: OwnParts): Serve => {
  const { fetch } = ownApplication(parts);
  return getRequestListener(fetch, { overrideGlobalObjects: false });
};

const ownApplication = (parts: OwnParts) => {
  const app = new Hono<{ Bindings: HttpBindings }>();
  app.get(eventsPath, ({ env: { incoming, outgoing } }) => {
    const last = incoming.headers["last-event-id"];
    const tells = incoming.url?.endsWith("?only=changes") ? "changes" : "requests";
    parts.events.join(outgoing, tells, typeof last === "string" ? last : undefined);
    return RESPONSE_ALREADY_SENT;
  });
  addPages(app, parts.pages);
  app.all("*", async ({ env: { incoming, outgoing } }) => {
    await parts.serve(incoming, outgoing);
    return RESPONSE_ALREADY_SENT;
  });
  app.onError((error, { env: { outgoing } }) => {
    writeFailure(outgoing, error, parts);
    return RESPONSE_ALREADY_SENT;
  });
  return app;
};
