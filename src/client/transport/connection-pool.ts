/** Which connection carries a request: a fresh one for writes, any idle one for reads. Node's Agent promises neither. */

/**
 * Writes under way at once from which on a connection for each would be the bottleneck: opening one
 * takes several times as long as a request. Below it every write gets a fresh one.
 */
const burst = 8;

/** One connection to the service: not there before its first request, nor once the other side has hung up. */
export interface Connection {
  readonly close: () => Promise<void>;
}

export interface Lease<C> {
  readonly connection: C;
  /** Gives the connection back after a complete answer; `isPromised`: the service keeps it open. */
  readonly keep: (isPromised: boolean) => void;
  /** Closes the connection. */
  readonly drop: () => void;
}

export interface ConnectionPool<C> {
  readonly take: (isRead: boolean) => Lease<C>;
  readonly close: () => Promise<void>;
}

/**
 * A read takes any idle connection, for it can be repeated. On a used connection that the other side
 * is about to close the outcome of a write would be unknown, so it takes a fresh one; only in a burst
 * it takes one on which the service has just isPromised to stay (`keep-alive: timeout=…`).
 */
export const createConnectionPool = <C extends Connection>(open: () => C): ConnectionPool<C> => {
  const idle: { readonly connection: C; readonly isPromised: boolean }[] = [];
  const busy = new Set<C>();
  let writes = 0;
  const reusable = (isRead: boolean): C | undefined => {
    const at = isRead ? idle.length - 1 : idle.findLastIndex((it) => it.isPromised);
    return isRead || writes >= burst ? idle.splice(at, at < 0 ? 0 : 1)[0]?.connection : undefined;
  };
  return {
    take: (isRead) => {
      const connection = reusable(isRead) ?? open();
      if (!isRead) writes += 1;
      busy.add(connection);
      const release = (): void => {
        if (busy.delete(connection) && !isRead) writes -= 1;
      };
      return {
        connection,
        keep: (isPromised) => {
          release();
          // More idle ones than busy ones will not be needed.
          if (idle.length <= busy.size) idle.push({ connection, isPromised });
          else void connection.close();
        },
        drop: () => {
          release();
          void connection.close();
        },
      };
    },
    close: async () => {
      const open = [...idle.splice(0).map((it) => it.connection), ...busy];
      await Promise.all(open.map((it) => it.close()));
    },
  };
};
