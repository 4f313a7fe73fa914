"use strict";
// Stands in for what chalk finds out about the terminal: output/style.ts always says whether to colour.
exports.default = { stdout: false, stderr: false };
Object.defineProperty(exports, "__esModule", { value: true });
