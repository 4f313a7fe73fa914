/** Reads the cookies of a browser. */

/** The value of a cookie; empty where the browser sent none of that name. */
export const cookieOf = (name: string, header = ""): string =>
  header
    .split(";")
    .map((it) => it.trim().split("="))
    .find(([it]) => it === name)?.[1] ?? "";
