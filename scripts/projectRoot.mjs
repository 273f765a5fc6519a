// The folder that holds package.json, wherever a script is started from.

import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** An absolute path. */
export const projectRoot = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
