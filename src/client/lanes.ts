/** Which connection a request takes: a fresh one for writes, any that is idle for reads. */

/**
 * Writes under way at once from which on a connection for each would be the bottleneck: opening one
 * takes several times as long as a request. Below it every write gets a fresh one.
 */
const burst = 8;

export interface Use<L> {
  readonly lane: L;
  /** Gives the connection back after a complete answer; `promised`: the service keeps it open. */
  readonly keep: (promised: boolean) => void;
  /** Closes the connection. */
  readonly drop: () => void;
}

export interface Lanes<L, With> {
  /** `means` is what a connection is opened with, where one has to be. */
  readonly take: (isRead: boolean, means: With) => Use<L>;
  readonly close: () => Promise<void>;
}

/**
 * A read takes any idle connection, for it can be repeated. On a used connection that the other side
 * is about to close a write would end in doubt, so it takes a fresh one; only in a burst it takes one
 * on which the service has just promised to stay (`keep-alive: timeout=…`).
 */
export const createLanes = <L, With>(
  open: (means: With) => L,
  shut: (lane: L) => Promise<void>,
): Lanes<L, With> => {
  const idle: { readonly lane: L; readonly promised: boolean }[] = [];
  const busy = new Set<L>();
  let writes = 0;
  const reusable = (isRead: boolean): L | undefined => {
    const at = isRead ? idle.length - 1 : idle.findLastIndex((it) => it.promised);
    return isRead || writes >= burst ? idle.splice(at, at < 0 ? 0 : 1)[0]?.lane : undefined;
  };
  return {
    take: (isRead, means) => {
      const lane = reusable(isRead) ?? open(means);
      if (!isRead) writes += 1;
      busy.add(lane);
      const release = (): void => {
        if (busy.delete(lane) && !isRead) writes -= 1;
      };
      return {
        lane,
        keep: (promised) => {
          release();
          // More idle ones than busy ones will not be needed.
          if (idle.length <= busy.size) idle.push({ lane, promised });
          else void shut(lane);
        },
        drop: () => {
          release();
          void shut(lane);
        },
      };
    },
    close: async () => {
      const open = [...idle.splice(0).map((it) => it.lane), ...busy];
      await Promise.all(open.map(shut));
    },
  };
};
