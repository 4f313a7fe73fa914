/** How far something is: a bar of blocks, a share in percent, and the time that is left. */
import { t } from "../../locale/locale.ts";

/** A bar of so many columns; what is begun shows at least one block. */
export const drawBar = (share: number, columns: number): string => {
  const filled = share > 0 ? Math.min(columns, Math.max(1, Math.floor(share * columns))) : 0;
  return "█".repeat(filled) + "░".repeat(columns - filled);
};

/** `91 %`, rounded down: all of it is done before it says so. */
export const formatShare = (share: number): string => t`${Math.floor(share * 100)} %`;

/** `2 h 5 min`, `3 min 20 s`, `8 s`. */
export const formatSeconds = (seconds: number): string => {
  const [hours = 0, minutes = 0, rest = 0] = [
    seconds / 3600,
    (seconds / 60) % 60,
    seconds % 60,
  ].map(Math.floor);
  if (hours > 0) return t`${hours} h ${minutes} min`;
  return minutes > 0 ? t`${minutes} min ${rest} s` : t`${rest} s`;
};
