// A model server in a process of its own: endless rounds of one Read, a summary when it is asked for. Prints its address.
import type { RecordedRequest } from "../../helpers/model-server.js";
import { startModelServer } from "../../helpers/model-server.js";

const [, , file = "", perRound = "60"] = process.argv;
let turn = 0;
const answer = ({ body }: RecordedRequest) => {
  if (JSON.stringify(body.messages.at(-1)).includes("write a summary")) return { say: "## State\nall read" };
  turn += 1;
  return turn % Number(perRound) === 0 ? { say: "done" } : { calls: [{ Read: { file_path: file } }] };
};
const server = await startModelServer({ strict: false });
const feed = () => {
  server.requests.length = 0;
  while (server.remaining() < 50) server.push(answer);
};
feed();
setInterval(feed, 20);
console.log(server.url);
