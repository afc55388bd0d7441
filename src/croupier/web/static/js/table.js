// A table's page: keys, chips, motion, sound, and a word when the connection is lost. Whatever it shows comes from the server.
import { listenForChips, showRail } from "./chips.js";
import { listenForDoubles, listenForKeys } from "./keys.js";
import { watchMotion } from "./motion.js";
import { countSeconds } from "./seconds.js";
import { offerSound } from "./sound.js";

const main = document.getElementById("main"), lost = document.getElementById("connection");

listenForKeys();
listenForDoubles();
listenForChips();
watchMotion(main);
showRail();
countSeconds();
offerSound(document.getElementById("sound"));

// What somebody has opened stays open when the table moves on.
const opened = new Set();
document.addEventListener("click", (event) => {
  const details = event.target.closest("summary")?.parentElement;
  if (details?.id) opened[details.open ? "delete" : "add"](details.id);
});
function settle() {
  showRail();
  opened.forEach((id) => document.getElementById(id)?.setAttribute("open", ""));
  keepRefusal();
}
// A refusal stays while others move, until its reader acts or something else is asked. It was announced once.
let refusal = null, asked = "";
function keepRefusal() {
  const shown = document.querySelector(".dock-work .notice.lose"), asks = document.getElementById("asks");
  if (shown) (refusal = shown.cloneNode(true)).removeAttribute("role");
  else if (refusal && asks?.textContent === asked) asks.closest(".asks").replaceWith(refusal.cloneNode(true));
  else refusal = null;
}
document.addEventListener("htmx:config:request", () => { asked = document.getElementById("asks")?.textContent ?? asked; refusal = null; });
document.addEventListener("htmx:after:swap", settle);
document.addEventListener("htmx:ws:after:message:incoming", settle);
// What is sent while the socket is open is answered there; otherwise the answer brings the table with it.
let isLive = false;
document.addEventListener("htmx:ws:close", () => { isLive = false; lost.hidden = false; });
document.addEventListener("htmx:ws:after:connection", () => { isLive = true; lost.hidden = true; });
document.addEventListener("htmx:config:request", (event) => { if (isLive) event.detail.ctx.request.headers["X-Live"] = "yes"; });

// An answer that was on its way while something newer came must not undo it.
document.addEventListener("htmx:before:swap", (event) => {
  const status = event.detail.ctx?.response?.status ?? 200;
  if (status === 401) { event.preventDefault(); location.assign(`/sign-in?then=${location.pathname}`); return; }
  const version = (node) => Number(node?.querySelector?.("[data-version]")?.dataset.version ?? node?.dataset?.version ?? NaN);
  const now = version(document), next = Math.max(...event.detail.tasks.map((task) => version(task.fragment)));
  if (next < now) event.preventDefault();
});
