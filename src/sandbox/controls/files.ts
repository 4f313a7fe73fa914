/** The bytes of stored files. */
import type { Input, Reply } from "../../contract/endpoint.ts";
import type { Controls } from "../../contract/sandbox.ts";
import { Refusal } from "../service.ts";
import type { AdminContext } from "./admin-context.ts";

/** Anyone may: who knows the address may see the picture, as phones do. */
export const readFileBody = (
  { params: { accountId, fileId } }: Input<Controls["readFileBody"]>,
  { store }: AdminContext,
): Reply<Controls["readFileBody"]> => {
  const bytes = store.files.body(accountId, fileId);
  if (bytes !== undefined) return Buffer.from(bytes);
  throw new Refusal(404, "ResourceNotFound", `There is no file '${fileId}'.`);
};
