/** Receives the browser's redirect: one path on this machine, for one login, and its parameters. */

import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { sameSecret } from "../contract/wire.ts";
import { MsgError } from "../errors.ts";
import { asRecord, asText, readJson } from "../json/read-json.ts";
import { t, translated } from "../locale/locale.ts";

const path = "/callback";
const maxBytes = 16_384;

/** Listens on a free port of 127.0.0.1. */
export const listenForRedirect = async (state: string) => {
  const server = createServer({ maxHeaderSize: maxBytes });
  server.maxConnections = 64;
  const port = await bind(server);
  /** The redirect with the right state. Other requests are answered and ignored. */
  const returned = new Promise<RedirectParams>((resolve) => {
    server.on("request", (incoming: IncomingMessage, outgoing: ServerResponse) => {
      void read(incoming, port).then((found) => {
        const isOurs = found !== undefined && sameSecret(found.state ?? "", state);
        // The page is sent before the login continues and closes everything.
        if (isOurs) outgoing.once("close", () => resolve(found));
        const status = isOurs ? 200 : 400;
        answer(outgoing, found === undefined ? 404 : status);
      });
    });
  });
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      // Browsers open connections ahead; an unused one counts as busy and would delay the close.
      server.closeAllConnections();
    });
  /** For `redirect_uri`. */
  const address = `http://127.0.0.1:${port}${path}`;
  return { address, returned, close };
};

const bind = (server: Server): Promise<number> =>
  new Promise((resolve, reject) => {
    server.once("error", (cause) =>
      reject(
        new MsgError("usage", t`no port of this machine could be opened for the browser`, {
          todo: t`paste the answer by hand: msg auth login --web --no-browser`,
          cause,
        }),
      ),
    );
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      resolve(typeof address === "object" && address !== null ? address.port : 0);
    });
  });

/** The parameters of a request; undefined if it is not for us: another host, path or method. */
const read = async (
  incoming: IncomingMessage,
  port: number,
): Promise<RedirectParams | undefined> => {
  const { method, url = "", headers } = incoming;
  if (headers.host !== `127.0.0.1:${port}` || url.split("?")[0] !== path) return undefined;
  if (method === "GET") return parseRedirect(`http://127.0.0.1${url}`);
  return method === "POST" ? parseRedirect(await bodyOf(incoming)) : undefined;
};

const bodyOf = async (incoming: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of incoming) {
      const bytes = Buffer.from(chunk);
      size += bytes.length;
      if (size > maxBytes) return "";
      chunks.push(bytes);
    }
  } catch {
    // The other side disconnected.
    return "";
  }
  return Buffer.concat(chunks).toString();
};

const sentences: Readonly<Record<number, string>> = {
  200: "You can close this page and go back to the terminal.",
  400: "This answer belongs to another login.",
  404: "There is nothing here.",
};

const answer = (outgoing: ServerResponse, status: number): void => {
  outgoing.writeHead(status, {
    "content-type": "text/plain; charset=utf-8",
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
    "referrer-policy": "no-referrer",
    "cache-control": "no-store",
    connection: "close",
  });
  outgoing.end(`${translated(sentences[status] ?? "")}\n`);
};

export interface RedirectParams {
  readonly code?: string | undefined;
  readonly state?: string | undefined;
  /** The user said no, or the service did. */
  readonly error?: string | undefined;
}

/** Reads an address with a query, an object in JSON, or a bare code; undefined for anything else. */
export const parseRedirect = (text: string): RedirectParams | undefined => {
  const trimmed = text.trim();
  if (URL.canParse(trimmed)) return paramsIn(Object.fromEntries(new URL(trimmed).searchParams));
  if (trimmed.startsWith("{")) return paramsIn(asRecord(readJson(Buffer.from(trimmed))));
  return /^[\w.~-]{8,}$/.test(trimmed) ? { code: trimmed } : undefined;
};

const paramsIn = (members: Readonly<Record<string, unknown>>): RedirectParams | undefined => {
  const [code, state, error] = [members.code, members.state, members.error].map(asText);
  return code === undefined && error === undefined ? undefined : { code, state, error };
};
