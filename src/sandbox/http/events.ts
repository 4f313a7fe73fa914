/** Reports what happens in the sandbox: server-sent events. */
import type { ServerResponse } from "node:http";
import type { LoggedRequest } from "../store/requests.ts";
import type { Store } from "../store/store.ts";

export type Events = ReturnType<typeof createEvents>;

/** Watchers of a store, and the number of the request or the version of the store that each saw last. */
export const createEvents = ({ requests, version }: Store) => {
  const requestWatchers = new Map<ServerResponse, number>();
  const changeWatchers = new Map<ServerResponse, string>();
  const reportTo = (outgoing: ServerResponse, seen: number): void => {
    // A reset numbers requests from 1 again.
    const after = seen > requests.latest() ? 0 : seen;
    const unseen = requests.since(after);
    for (const it of unseen) outgoing.write(formatEvent(it));
    requestWatchers.set(outgoing, Number(unseen.at(-1)?.requestId ?? after));
  };
  return {
    /** Reports every request to a watcher, from now on or after the one that it saw `last`. */
    watchRequests: (outgoing: ServerResponse, last: string): void => {
      startStream(outgoing, requestWatchers);
      reportTo(outgoing, /^\d{1,15}$/.test(last) ? Number(last) : requests.latest());
    },
    /** Reports only that anything changed, which is what the pages ask for. */
    watchChanges: (outgoing: ServerResponse): void => {
      startStream(outgoing, changeWatchers);
      changeWatchers.set(outgoing, version());
    },
    /** Reports new requests to everyone who watches. Costs nothing without a watcher. */
    reportRequests: (): void => {
      for (const [outgoing, after] of requestWatchers) reportTo(outgoing, after);
    },
    /** Reports whether anything was written since, by any process; called a few times a second. */
    reportChanges: (): void => {
      for (const [outgoing, seen] of changeWatchers) {
        const now = version();
        if (now !== seen) outgoing.write("event: change\ndata:\n\n");
        changeWatchers.set(outgoing, now);
      }
    },
    close: (): void => {
      for (const outgoing of [...requestWatchers.keys(), ...changeWatchers.keys()]) outgoing.end();
    },
  };
};

const startStream = (outgoing: ServerResponse, watchers: Map<ServerResponse, unknown>): void => {
  outgoing.writeHead(200, {
    "content-type": "text/event-stream; charset=utf-8",
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
  });
  outgoing.write("retry: 1000\n: watching\n\n");
  outgoing.on("close", () => watchers.delete(outgoing));
};

const formatEvent = (it: LoggedRequest): string =>
  `id: ${it.requestId}\nevent: request\ndata: ${JSON.stringify(it)}\n\n`;
