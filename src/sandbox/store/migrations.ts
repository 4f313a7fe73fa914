/**
 * The tables of the sandbox, as the steps that lead from an empty file to the present version. The first
 * makes version 1. A step that was released is never edited; what changes is added as a new file.
 */
import accountsAndMessages from "./migrations/001-accounts-and-messages.sql";
import money from "./migrations/002-money.sql";
import kakao from "./migrations/003-kakao.sql";
import oauth from "./migrations/004-oauth.sql";
import faults from "./migrations/005-faults.sql";
import storage from "./migrations/006-storage.sql";
import notices from "./migrations/007-notices.sql";
import replaceableGroups from "./migrations/008-replaceable-groups.sql";
import batches from "./migrations/009-batches.sql";
import compatibility from "./migrations/010-compatibility.sql";
import slices from "./migrations/011-slices.sql";

export const migrations: readonly string[] = [
  accountsAndMessages,
  money,
  kakao,
  oauth,
  faults,
  storage,
  notices,
  replaceableGroups,
  batches,
  compatibility,
  slices,
];

/** The version that this program reads and writes. */
export const schemaVersion = migrations.length;
