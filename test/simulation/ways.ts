/** How operators send: which command, on which machines, and what these may meet. */
import type { Fate } from "./machine.ts";

/** How the operators send. */
export interface Way {
  readonly name: string;
  /** Machines that know nothing of each other; or hosts with one disk. */
  readonly machines: "one" | "several" | "one disk";
  readonly command: readonly string[];
  readonly isRun: boolean;
  readonly isLater: boolean;
  /** Each machine has an hour of its own: what one sends is not what another one sends. */
  readonly hasHours?: boolean;
  /** Its one message may be to several. */
  readonly isToSeveral?: boolean;
  /** Each machine sends a part of its own. */
  readonly hasParts?: boolean;
  /** Nothing but clocks tells what was sent a day before, or now. */
  readonly hasRightClocks?: boolean;
  /** It sends once more what was sent before: run again it would do so again, so its owner goes on with it. */
  readonly isAgain?: boolean;
  /** The rows of a run that ended before, and whose deliveries failed, are sent once more, from copies of its disk. */
  readonly isRetry?: boolean;
  /** What a person may do to the groups by hand. */
  readonly acts?: readonly [Act, ...Act[]];
  /** Behind which exit codes the same command may be run again; undefined for all. */
  readonly runAgain?: readonly number[];
  readonly diskFates: readonly [DiskFate, ...DiskFate[]];
  /** What a process may meet. */
  readonly fates: readonly [Fate["is"], ...Fate["is"][]];
}

/** What a person does through the service, past the runs. */
export type Act =
  | "send"
  | "resend"
  | "add"
  | "take"
  | "delete"
  | "schedule"
  | "reschedule"
  | "unschedule";

/** What becomes of a disk between two processes. */
export type DiskFate = "kept" | "power cut" | "lost" | "put back" | "damaged" | "cloned";

const content = ["--from", "0200000000", "--text", "x", "--json"];
const many = ["send-many", "-", ...content];
const groups = ["--chunk", "2", "--group-size", "2"];
const anyDisk = ["kept", "power cut", "lost", "put back", "damaged"] as const;
const anyButDamaged = ["kept", "power cut", "lost", "put back"] as const;
const wideGroups = ["--chunk", "1", "--group-size", "3"];
export const ownDisk = ["kept", "power cut"] as const;
const anyFate = ["kill", "kill", "pause", "interrupt"] as const;

const run = { isRun: true, isLater: false, fates: anyFate } as const;
const single = { isRun: false, isLater: false, machines: "one", diskFates: ownDisk } as const;

/** How a list may be cut into requests and groups. */
export const cuts: readonly [readonly string[], ...(readonly string[])[]] = [
  [],
  wideGroups,
  ["--chunk", "1", "--group-size", "1"],
  ["--chunk", "3", "--group-size", "5"],
];

/** The same with another cut, of as many flags as it has; the same where it says nothing of that. */
export const cutLike = (command: readonly string[], cut: readonly string[]): readonly string[] => {
  const at = command.indexOf("--chunk");
  return at < 0 ? command : [...command.slice(0, at), ...cut, ...command.slice(at + groups.length)];
};

/** The same in groups that take several requests to fill; undefined where there are none. */
export const widened = ({ command, ...way }: Way): Way | undefined =>
  command.includes("--group-size")
    ? { ...way, command: [...command.filter((it) => !groups.includes(it)), ...wideGroups] }
    : undefined;

/** The same with a part for each machine; undefined where the machines are one, or send what the others do not. */
export const parted = (way: Way): Way | undefined =>
  way.isRun && way.machines === "several" && !way.hasHours ? { ...way, hasParts: true } : undefined;

/**
 * The same while a person works on its groups; undefined where others cannot know what it sends. With a key a machine
 * keeps a run whose rows another one has scheduled, and looks what became of them.
 */
export const withPerson = (way: Way, isKeyed: boolean): Way | undefined =>
  isPlain(way)
    ? {
        ...way,
        command: isKeyed && way.isLater ? [...way.command, "--once", "may"] : way.command,
        diskFates: way.machines === "several" ? anyButDamaged : way.diskFates,
        acts: way.isLater
          ? ["unschedule", "unschedule", "delete", "take", "send", "schedule", "reschedule"]
          : ["send", "add", "delete", "take", "schedule"],
      }
    : undefined;

/** A run of groups whose rows others may send, too. */
export const isPlain = ({ isRun, hasHours, isAgain, isRetry, hasParts, command }: Way): boolean =>
  isRun && !hasHours && !isAgain && !isRetry && !hasParts && !command.includes("--direct");

/** The same without ids in its messages; undefined where others, or a disk that is lost, leave nothing else to go by. */
export const untagged = (way: Way): Way | undefined =>
  way.diskFates === ownDisk && way.command.includes("--group-size") && !way.acts && !way.isLater
    ? { ...way, command: [...way.command, "--no-tag"] }
    : undefined;

/** The same with a canary before the rest; undefined where nothing waits to be sent behind it. */
export const withCanary = (way: Way): Way | undefined =>
  way.isRun && !way.isLater && !way.acts && !way.command.includes("--direct")
    ? { ...way, command: [...way.command, "--canary", "1", "--canary-max-failed", "1"] }
    : undefined;

export const ways: readonly [Way, ...Way[]] = [
  { ...run, name: "list", machines: "several", command: many, diskFates: anyDisk },
  {
    ...run,
    name: "groups",
    machines: "several",
    command: [...many, ...groups],
    diskFates: anyDisk,
  },
  {
    ...run,
    name: "hour",
    machines: "several",
    command: [...many, ...groups],
    isLater: true,
    diskFates: anyDisk,
  },
  {
    ...run,
    name: "one disk",
    machines: "one disk",
    command: [...many, ...groups],
    diskFates: ownDisk,
  },
  {
    ...run,
    name: "direct",
    machines: "one",
    command: [...many, "--direct", "--chunk", "2", "--concurrency", "1"],
    diskFates: ["kept", "power cut", "damaged"],
    fates: ["kill", "interrupt"],
  },
  {
    ...run,
    name: "direct on one disk",
    machines: "one disk",
    command: [...many, "--direct", "--chunk", "1", "--concurrency", "1"],
    hasRightClocks: true,
    diskFates: ownDisk,
  },
  {
    ...run,
    name: "by hand",
    machines: "one",
    command: [...many, ...groups],
    diskFates: ownDisk,
    acts: ["send", "send", "add", "delete"],
  },
  {
    ...run,
    name: "hour by hand",
    machines: "one",
    command: [...many, ...groups],
    isLater: true,
    diskFates: ownDisk,
    acts: ["unschedule", "unschedule", "delete"],
  },
  {
    ...run,
    name: "two hours",
    machines: "several",
    command: [...many, ...groups],
    isLater: true,
    hasHours: true,
    diskFates: ["kept"],
  },
  {
    ...run,
    name: "list with a key",
    machines: "several",
    command: [...many, ...groups, "--once", "july"],
    diskFates: anyDisk,
  },
  {
    ...run,
    name: "once more",
    machines: "one",
    command: [...many, ...groups, "--again"],
    isAgain: true,
    diskFates: ["kept", "power cut", "lost"],
  },
  {
    ...single,
    name: "key on machines",
    machines: "several",
    command: ["send", ...content, "--once", "order-1"],
    diskFates: anyDisk,
    fates: anyFate,
  },
  {
    ...single,
    name: "key on one disk",
    machines: "one disk",
    command: ["send", ...content, "--once", "order-1"],
    fates: anyFate,
  },
  {
    ...single,
    name: "once",
    command: ["send", ...content, "--once", "order-1"],
    fates: anyFate,
  },
  {
    ...single,
    name: "single",
    command: ["send", ...content],
    isToSeveral: true,
    runAgain: [4, 5, 6, 9, 10],
    fates: ["pause", "interrupt"],
  },
];

/** The list is sent once, and fails; then each machine has the disk of the one that sent it. */
export const retries: readonly [Way, ...Way[]] = [
  {
    ...run,
    name: "retry",
    machines: "several",
    command: ["send-many", "--json", "--retry-failed"],
    isRetry: true,
    diskFates: ["kept", "power cut", "put back"],
  },
  {
    ...run,
    name: "retry on one disk",
    machines: "one disk",
    command: ["send-many", "--json", "--retry-failed"],
    isRetry: true,
    diskFates: ownDisk,
  },
];
