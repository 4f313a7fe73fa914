/** The time zone of this machine, as a name that can be passed on and shown. */
import { diskFiles, quietly } from "../durable/files.ts";
import type { Env } from "./paths.ts";

/**
 * Intl knows no name for a path (`:/etc/localtime`) or an offset from UTC (`KST-9`), and for an empty `TZ` one that
 * it refuses itself: then the path names the zone, or today's offset does.
 */
export const machineZone = ({ TZ = "" }: Env): string => {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  return [zoneAt(TZ.replace(/^:/, "")), timeZone].find(isZone) ?? zoneByDistance();
};

/** `Europe/Berlin` from a path into the zone data. */
const zoneAt = (path: string): string | undefined => {
  if (!path.startsWith("/")) return undefined;
  return quietly(() => /\/zoneinfo\/(.+)$/.exec(diskFiles.real(path))?.[1]);
};

const isZone = (name: string | undefined): name is string => {
  // Newer Nodes say +05:00 for GMT+5, which is five hours behind UTC.
  if (name === undefined || /^[+-]/.test(name)) return false;
  return quietly(() => new Intl.DateTimeFormat("en", { timeZone: name })) !== undefined;
};

/** These zones are named by the hours that they are behind UTC: nine hours ahead is `Etc/GMT-9`. */
const zoneByDistance = (): string => {
  const parts = new Intl.DateTimeFormat("en", { timeZoneName: "longOffset" }).formatToParts();
  const distance = parts.find(({ type }) => type === "timeZoneName")?.value ?? "";
  const [, sign, hours] = /^GMT([+-])0?([1-9]\d?):00$/.exec(distance) ?? [];
  return hours === undefined ? "UTC" : `Etc/GMT${sign === "+" ? "-" : "+"}${hours}`;
};
