// Chips by tap and by drag: they fill in the fields of the form, and nothing else. The table says what is allowed.
import { play } from "./sound.js";

const root = document.documentElement;
let chosen = 5;
const undone = [];

const fieldOf = (spot) => document.getElementById(`bet-${spot.dataset.spot}`);

function add(spot, value) {
  const field = fieldOf(spot);
  if (!field) return;
  undone.push([field.id, field.value]);
  // Where the table takes one amount alone, a chip of any value puts it there.
  field.value = field.min && field.min === field.max ? String(Number(field.min)) : String((Number(field.value) || 0) + value);
  field.dispatchEvent(new Event("input", { bubbles: true }));
  play("chip");
}

function undo() {
  const [id, value] = undone.pop() ?? [];
  const field = id && document.getElementById(id);
  if (field) { field.value = value; field.dispatchEvent(new Event("input", { bubbles: true })); }
}

/** What is written in a field is shown on its spot; the chips themselves come when the bet is placed. */
function label(field) {
  for (const ghost of document.querySelectorAll(`[data-ghost="${CSS.escape(field.id.slice(4))}"]`)) {
    ghost.textContent = field.value ? `$${field.value.replace(/\.00$/, "")}` : "+";
    ghost.classList.toggle("drafted", field.value !== "");
  }
}

export function showRail() {
  if (!document.querySelector("[data-undo]")) undone.length = 0; // bets are placed: the next round begins anew
  for (const hidden of document.querySelectorAll("[data-rail], [data-undo]")) hidden.hidden = false;
  for (const button of document.querySelectorAll("[data-undo]")) button.disabled = !undone.length;
  for (const key of document.querySelectorAll("[data-chip]")) key.setAttribute("aria-pressed", String(Number(key.dataset.chip) === chosen));
  for (const button of document.querySelectorAll("[data-amounts]")) button.setAttribute("aria-expanded", String(root.classList.contains("amounts-open")));
  for (const field of document.querySelectorAll(".bet-field input[id]")) if (field.value !== field.defaultValue) label(field);
}

export function listenForChips() {
  document.addEventListener("click", (event) => {
    const key = event.target.closest("[data-chip]"), spot = event.target.closest("[data-spot]");
    if (key) { chosen = Number(key.dataset.chip); showRail(); }
    if (spot) { event.preventDefault(); add(spot, chosen); }
    if ((key || spot) && event.detail) document.activeElement?.blur(); // tapped: Enter places the bets and adds no other chip
    if (event.target.closest("[data-undo]")) undo();
    if (event.target.closest("[data-amounts]")) { root.classList.toggle("amounts-open"); showRail(); }
  });
  document.addEventListener("input", (event) => { if (event.target.id?.startsWith("bet-")) { label(event.target); showRail(); } });
  listenForDrags();
}

// One way to drag for mouse, finger and pen: a picture of the chip follows the pointer, and the area below it is lit.
const FAR = 8;

function listenForDrags() {
  let from = null, ghost = null, dropped = false;
  const below = ({ clientX: x, clientY: y }) => document.elementFromPoint(x, y)?.closest?.("[data-spot]");
  const light = (spot) => {
    for (const lit of document.querySelectorAll(".is-under-chip")) if (lit !== spot) lit.classList.remove("is-under-chip");
    spot?.classList.add("is-under-chip");
  };
  const stop = () => { ghost?.remove(); from = ghost = null; light(null); };
  document.addEventListener("pointerdown", (event) => {
    const key = event.target.closest?.("[data-chip]");
    dropped = false;
    if (!key || !event.isPrimary || event.button) return;
    from = { x: event.clientX, y: event.clientY, value: Number(key.dataset.chip), key };
  });
  document.addEventListener("pointermove", (event) => {
    if (!from || !event.isPrimary) return;
    if (!ghost && Math.hypot(event.clientX - from.x, event.clientY - from.y) < FAR) return;
    if (!ghost) { ghost = document.body.appendChild(from.key.firstElementChild.cloneNode(true)); ghost.classList.add("chip-in-hand"); }
    ghost.style.setProperty("translate", `${event.clientX}px ${event.clientY}px`);
    light(below(event));
  });
  document.addEventListener("pointerup", (event) => {
    if (!from || !event.isPrimary) return;
    const spot = ghost && below(event), { value } = from;
    dropped = ghost !== null;
    stop();
    if (spot) add(spot, value);
  });
  document.addEventListener("pointercancel", stop);
  document.addEventListener("keydown", (event) => { if (event.key === "Escape") stop(); });
  document.addEventListener("dragstart", (event) => { if (event.target.closest?.("[data-chip], [data-spot]")) event.preventDefault(); });
  // A drag that ends is not a tap as well.
  document.addEventListener("click", (event) => { if (dropped) { dropped = false; event.preventDefault(); event.stopPropagation(); } }, true);
}
