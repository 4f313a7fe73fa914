/** What a terminal still holds when its program has ended. */
import type { IPty } from "@lydell/node-pty";

/**
 * node-pty closes a terminal 200 ms behind the end of its program, read or not: on a machine that is busy that
 * timer may run before what was printed last is read. Two turns of the event loop read it.
 */
export const readToEnd = <T extends IPty>(terminal: T): T => {
  const socket: unknown = "_socket" in terminal ? terminal._socket : undefined;
  if (!isSocket(socket)) throw new Error("node-pty has no socket any more");
  const destroy = socket.destroy.bind(socket);
  socket.destroy = () => void setImmediate(() => setImmediate(destroy));
  return terminal;
};

const isSocket = (it: unknown): it is { destroy: () => void } =>
  typeof it === "object" && it !== null && "destroy" in it && typeof it.destroy === "function";
