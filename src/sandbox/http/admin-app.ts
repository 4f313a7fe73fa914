/** What the port answers under `/_sandbox`: pages, their events, control routes. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { eventsPath } from "../../contract/sandbox.ts";
import { createPages, type PagesOptions } from "../pages/index.ts";
import type { Events } from "./events.ts";
import { writeAnswer, writeFailure } from "./write-answer.ts";

/** Performs one request and writes its answer. */
export type Serve = (incoming: IncomingMessage, outgoing: ServerResponse) => Promise<void>;

export interface AdminAppOptions {
  /** Signing time. */
  readonly now: () => Date;
  readonly events: Events;
  readonly pages: PagesOptions;
  /** Performs what is no page: a control route. */
  readonly serve: Serve;
}

export const createAdminApp = (options: AdminAppOptions): Serve => {
  const { events, serve } = options;
  const answerPage = createPages(options.pages);
  return async (incoming, outgoing) => {
    const url = new URL(incoming.url ?? "", "http://sandbox");
    if (incoming.method === "GET" && url.pathname === eventsPath) {
      const subject = url.search === "?only=changes" ? "changes" : "requests";
      events.join(outgoing, subject, lastEventOf(incoming));
      return;
    }
    try {
      const answer = await answerPage(incoming, url);
      if (answer === undefined) await serve(incoming, outgoing);
      else writeAnswer(outgoing, answer);
    } catch (error) {
      writeFailure(outgoing, error, options);
    }
  };
};

const lastEventOf = ({ headers }: IncomingMessage): string | undefined => {
  const last = headers["last-event-id"];
  return typeof last === "string" ? last : undefined;
};
