/**
 * Every sentence of `msg` in Korean, and the pages of its help. A file of its own in dist, which is read only
 * for this language.
 */

import type { Catalog } from "../locale.ts";
import * as catalogs from "./catalogs.ts";
import * as topics from "./topics.ts";

/**
 * One catalog for each folder of src, and for the largest folders of src/send. Not a single one: merging
 * them takes longer than loading them.
 */
export const korean: readonly Catalog[] = Object.values(catalogs);

/** Pages of `msg help <topic>`. */
export const koreanTopics: Catalog = topics;
