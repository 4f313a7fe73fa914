/** Reports what happens in the sandbox: server-sent events. */
import type { ServerResponse } from "node:http";
import type { LoggedRequest } from "../store/requests.ts";

export interface Events {
  /**
   * Begins to report to a watcher: every request, from now on or from behind the one that it saw last;
   * or only that anything changed, which is what the pages ask for.
   */
  join(outgoing: ServerResponse, subject: "requests" | "changes", last: string | undefined): void;
  /** Reports new requests to everyone who watches. Costs nothing without a watcher. */
  reportRequests(): void;
  /** Reports whether anything was written since, by any process; called a few times a second. */
  reportChanges(): void;
  close(): void;
}

/**
 * `since` answers the requests after one, by its number, in order; `latest` the newest number;
 * `version` changes with everything that is written.
 */
export const createEvents = (
  since: (after: number) => readonly LoggedRequest[],
  latest: () => number,
  version: () => string,
): Events => {
  const requestWatchers = new Map<ServerResponse, number>();
  const changeWatchers = new Map<ServerResponse, string>();
  const reportTo = (outgoing: ServerResponse, seen: number): void => {
    // A reset numbers requests from 1 again.
    const after = seen > latest() ? 0 : seen;
    const news = since(after);
    for (const it of news) outgoing.write(eventOf(it));
    requestWatchers.set(outgoing, Number(news.at(-1)?.requestId ?? after));
  };
  const join: Events["join"] = (outgoing, subject, last) => {
    outgoing.writeHead(200, headers);
    outgoing.write("retry: 1000\n: watching\n\n");
    outgoing.on("close", () => requestWatchers.delete(outgoing) || changeWatchers.delete(outgoing));
    if (subject === "changes") changeWatchers.set(outgoing, version());
    else reportTo(outgoing, /^\d{1,15}$/.test(last ?? "") ? Number(last) : latest());
  };
  return {
    join,
    reportRequests: () => {
      for (const [outgoing, after] of requestWatchers) reportTo(outgoing, after);
    },
    reportChanges: () => {
      if (changeWatchers.size === 0) return;
      const now = version();
      for (const [outgoing, seen] of changeWatchers) {
        if (seen === now) continue;
        changeWatchers.set(outgoing, now);
        outgoing.write("event: change\ndata:\n\n");
      }
    },
    close: () => {
      for (const outgoing of [...requestWatchers.keys(), ...changeWatchers.keys()]) outgoing.end();
    },
  };
};

const eventOf = (it: LoggedRequest): string =>
  `id: ${it.requestId}\nevent: request\ndata: ${JSON.stringify(it)}\n\n`;

const headers = {
  "content-type": "text/event-stream; charset=utf-8",
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
};
