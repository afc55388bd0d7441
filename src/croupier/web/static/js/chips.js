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
  field.value = String((Number(field.value) || 0) + value);
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
    ghost.textContent = field.value ? `$${Number(field.value)}` : "+";
  }
}

export function showRail() {
  for (const hidden of document.querySelectorAll("[data-rail], [data-undo]")) hidden.hidden = false;
  for (const key of document.querySelectorAll("[data-chip]")) {
    key.setAttribute("aria-pressed", String(Number(key.dataset.chip) === chosen));
    key.draggable = true;
  }
  for (const button of document.querySelectorAll("[data-amounts]")) button.setAttribute("aria-expanded", String(root.classList.contains("amounts-open")));
  for (const field of document.querySelectorAll(".bet-field input[id]")) if (field.value !== field.defaultValue) label(field);
}

export function listenForChips() {
  document.addEventListener("click", (event) => {
    const key = event.target.closest("[data-chip]"), spot = event.target.closest("[data-spot]");
    if (key) { chosen = Number(key.dataset.chip); showRail(); }
    if (spot) { event.preventDefault(); add(spot, chosen); }
    if (event.target.closest("[data-undo]")) undo();
    if (event.target.closest("[data-amounts]")) { root.classList.toggle("amounts-open"); showRail(); }
  });
  document.addEventListener("input", (event) => { if (event.target.id?.startsWith("bet-")) label(event.target); });
  document.addEventListener("dragstart", (event) => {
    const key = event.target.closest?.("[data-chip]");
    if (key) event.dataTransfer.setData("text/plain", key.dataset.chip);
  });
  document.addEventListener("dragover", (event) => { if (event.target.closest?.("[data-spot]")) event.preventDefault(); });
  document.addEventListener("drop", (event) => {
    const spot = event.target.closest?.("[data-spot]"), value = Number(event.dataTransfer.getData("text/plain"));
    if (spot && value) { event.preventDefault(); add(spot, value); }
  });
}
