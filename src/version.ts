/** The version of `msg`; the build writes it in from `package.json`. */
declare const MSG_VERSION: string;

export const version = typeof MSG_VERSION === "string" ? MSG_VERSION : "0.0.0";
