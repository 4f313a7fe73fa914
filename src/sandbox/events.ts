/** Tells those who watch what the sandbox was asked: server-sent events, one a request. */
import type { ServerResponse } from "node:http";
import type { LoggedRequest } from "./store/requests.ts";

export interface Events {
  /** Begins to tell a watcher, from now on or from behind the request that it saw last. */
  join(outgoing: ServerResponse, last: string | undefined): void;
  /** Tells everybody what is new. Costs nothing where nobody watches. */
  tell(): void;
  close(): void;
}

/** `since` answers the requests after one, by its number, in order; `latest` the newest number. */
export const createEvents = (
  since: (after: number) => readonly LoggedRequest[],
  latest: () => number,
): Events => {
  const watchers = new Map<ServerResponse, number>();
  const tellOne = (outgoing: ServerResponse, after: number): void => {
    const news = since(after);
    for (const it of news)
      outgoing.write(`id: ${it.requestId}\nevent: request\ndata: ${JSON.stringify(it)}\n\n`);
    watchers.set(outgoing, Number(news.at(-1)?.requestId ?? after));
  };
  return {
    join: (outgoing, last) => {
      outgoing.writeHead(200, {
        "content-type": "text/event-stream; charset=utf-8",
        "cache-control": "no-store",
        "x-content-type-options": "nosniff",
      });
      outgoing.write(": watching\n\n");
      outgoing.on("close", () => watchers.delete(outgoing));
      tellOne(outgoing, /^\d{1,15}$/.test(last ?? "") ? Number(last) : latest());
    },
    tell: () => {
      for (const [outgoing, after] of watchers) tellOne(outgoing, after);
    },
    close: () => {
      for (const outgoing of watchers.keys()) outgoing.end();
    },
  };
};
