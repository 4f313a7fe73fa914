/** Reports what happens in the sandbox: server-sent events. */
import type { ServerResponse } from "node:http";
import type { LoggedRequest } from "../store/requests.ts";
import type { Store } from "../store/store.ts";

export type Events = ReturnType<typeof createEvents>;

/** Watchers by connection, each with the function that reports unseen events to it. */
type Watchers = Map<ServerResponse, () => void>;

export const createEvents = ({ requests, version }: Store) => {
  const requestWatchers: Watchers = new Map();
  const changeWatchers: Watchers = new Map();
  return {
    /** Reports every request to a watcher, from now on, or after the `last` one that it saw. */
    watchRequests: (outgoing: ServerResponse, last: string): void => {
      let seen = /^\d{1,15}$/.test(last) ? Number(last) : requests.latest();
      watch(requestWatchers, outgoing, () => {
        // A reset numbers requests from 1 again.
        if (seen > requests.latest()) seen = 0;
        for (const it of requests.since(seen)) {
          outgoing.write(formatEvent(it));
          seen = Number(it.requestId);
        }
      });
    },
    /** Reports only that anything changed, by any process, as the pages need it. */
    watchChanges: (outgoing: ServerResponse): void => {
      let seen = version();
      watch(changeWatchers, outgoing, () => {
        const now = version();
        if (now !== seen) outgoing.write("event: change\ndata:\n\n");
        seen = now;
      });
    },
    /** Costs nothing without a watcher. */
    reportRequests: (): void => requestWatchers.forEach((report) => void report()),
    /** Called a few times a second. */
    reportChanges: (): void => changeWatchers.forEach((report) => void report()),
    close: (): void => {
      for (const outgoing of [...requestWatchers.keys(), ...changeWatchers.keys()]) outgoing.end();
    },
  };
};

const watch = (watchers: Watchers, outgoing: ServerResponse, report: () => void): void => {
  outgoing.writeHead(200, {
    "content-type": "text/event-stream; charset=utf-8",
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
  });
  outgoing.write("retry: 1000\n: watching\n\n");
  watchers.set(outgoing, report);
  outgoing.on("close", () => watchers.delete(outgoing));
  report();
};

const formatEvent = (it: LoggedRequest): string =>
  `id: ${it.requestId}\nevent: request\ndata: ${JSON.stringify(it)}\n\n`;
