/** The part of undici that network.ts uses: its client by sub-path, which carries no types. */
declare module "undici/lib/dispatcher/client.js" {
  interface Controller {
    abort(reason: Error): void;
  }

  /** In this order; `onRequestStart` comes right before the first byte is written. */
  interface Handler {
    onRequestStart(controller: Controller): void;
    onResponseStart(
      controller: Controller,
      status: number,
      headers: Readonly<Record<string, string | string[] | undefined>>,
    ): void;
    onResponseData(controller: Controller, chunk: Uint8Array): void;
    onResponseEnd(controller: Controller): void;
    onResponseError(controller: Controller, error: Error): void;
  }

  interface Options {
    readonly connect: (
      target: unknown,
      callback: (error: Error | null, socket: import("node:net").Socket | null) => void,
    ) => void;
    readonly pipelining: number;
    readonly bodyTimeout: number;
    readonly keepAliveMaxTimeout: number;
  }

  interface Request {
    readonly path: string;
    readonly method: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: Uint8Array | null;
    readonly headersTimeout: number;
  }

  /** One connection at a time; opens it when the first request comes, and again when it is gone. */
  export default class Client {
    constructor(origin: string, options: Options);
    dispatch(request: Request, handler: Handler): boolean;
    destroy(reason: Error | null): Promise<void>;
  }
}
