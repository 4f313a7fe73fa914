/** Which addresses are accepted as the service's, and which names mean this machine. */
import { t } from "../locale/locale.ts";

/** The host name of a URL, an IPv6 address in its brackets: what goes there crosses no line that others read. */
export const isLoopback = (hostname: string): boolean =>
  /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/i.test(hostname);

/** Where a server of the sandbox may listen: nothing that other machines could reach. */
export const loopbackHosts = ["127.0.0.1", "::1", "localhost"] as const;

/** Why an address is not accepted. A user name and a password that it holds are never repeated. */
export interface AddressFault {
  readonly text: string;
  readonly todo: string;
}

type Address =
  | { readonly url: URL; readonly fault?: undefined }
  | { readonly url?: undefined; readonly fault: AddressFault };

/**
 * The address of a host: https, or http on this machine, since the line would read the signature;
 * without user name, query and fragment.
 */
export const readAddress = (written: string): Address => {
  const url = URL.canParse(written) ? new URL(written) : undefined;
  const fault = (text: string, todo: string): Address => ({ fault: { text, todo } });
  if (url && (url.username !== "" || url.password !== "")) {
    const todo = t`give the address alone; msg auth login keeps the credentials`;
    return fault(t`'${url.host}' was given with a user name or password`, todo);
  }
  if (!url || !/^https?:$/.test(url.protocol) || url.hostname === "")
    return fault(t`'${written}' is not the address of a host`, example());
  if (url.search !== "" || url.hash !== "")
    return fault(t`'${written}' has a query or a fragment`, example());
  if (url.protocol === "http:" && !isLoopback(url.hostname))
    return fault(
      t`'${written}' is not encrypted: http is for this machine only`,
      t`use https://${url.host}`,
    );
  return { url };
};

const example = (): string => t`write it like https://api.example.com`;
