/** The address of the service: what is accepted as one. */
import { isLoopback } from "../../contract/loopback.ts";
import { usageError } from "../../errors.ts";

/** Throws usage for an address that is malformed, carries a user name, or would send in clear. */
export const readAddress = (text: string): URL => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  // The address is not repeated: what stands before the @ may be a password.
  if (url && (url.username !== "" || url.password !== ""))
    throw usageError(`the address of '${url.host}' holds a user name or password`, {
      todo: "give the address alone; msg auth login keeps the credentials",
    });
  if (!url || !/^https?:$/.test(url.protocol) || url.search !== "" || url.hash !== "")
    throw usageError(`'${text}' is no address of the service`, { todo: "https://host" });
  if (url.protocol === "http:" && !isLoopback(url.hostname))
    throw usageError(`'${url.origin}' is not encrypted`, {
      todo: "use https://; plain http is for this machine only, since the line would read the signature",
    });
  return url;
};

/** The port that is meant where none is written. */
export const portOf = (url: URL): number =>
  Number(url.port) || (url.protocol === "https:" ? 443 : 80);
