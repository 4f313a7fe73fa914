"use strict";
// What is rehearsed, by name: the usual command lines. Every other has most of its code in common with
// them. Of `pages`, a page is asked for as well.
module.exports = {
  help: ["--help"],
  completion: ["completion bash"],
  balance: ["balance"],
  table: ["balance -o table"],
  send: ["send --to 01000000001 --from 0200000000 --text hello --yes", "message list"],
  sandbox: [
    "send --sandbox --to 01000000001 --from 0200000000 --text hello",
    "message list --sandbox",
  ],
  server: ["sandbox start --memory --port 0 --json --quiet"],
  pages: ["sandbox start --memory --port 0 --json --quiet"],
};
