// The dealer's page: cards by tap, key or scanner into one field, and keys for the buttons. What a card may be, how many
// are awaited and what happens then is the server's to say.
import { listenForDoubles } from "./keys.js";

listenForDoubles();
const CARD = /^(10|[2-9tjqka])([cdhs])$/i;

const field = () => document.getElementById("typed");
const need = () => Number(field()?.dataset.need ?? 0);
const parts = (text) => text.replace(/(10|[2-9tjqka])\s*([cdhs])/gi, " $1$2 ").trim().split(/[\s,]+/).filter(Boolean);
const name = (word) => {
  const match = CARD.exec(word);
  return match ? `${match[1] === "10" ? "T" : match[1].toUpperCase()}${match[2].toLowerCase()}` : "";
};
const typed = (card) => card.replace(/^T/, "10").replace(/^(.+)(.)$/, (_, rank, suit) => rank.toUpperCase() + suit);
const key = (card) => document.querySelector(`[data-card="${card}"]`);
const isFree = (card) => Boolean(card && key(card) && !key(card).disabled);

function show() {
  const input = field();
  if (!input) return;
  const words = parts(input.value), cards = words.map(name);
  const picks = document.getElementById("picks");
  picks.replaceChildren(...words.map((word, at) => drawn(cards[at], word, input.dataset.sprite)));
  document.querySelectorAll("[data-picked]").forEach((button) => button.removeAttribute("data-picked"));
  cards.forEach((card) => card && key(card)?.setAttribute("data-picked", ""));
  document.getElementById("undo").hidden = words.length === 0;
  const confirm = document.getElementById("confirm");
  const apart = new Set(cards).size === cards.length;
  if (confirm) confirm.disabled = cards.length !== need() || !apart || !cards.every(isFree);
}

function drawn(card, word, sprite) {
  const button = card && key(card);
  if (!isFree(card)) {
    const bad = document.createElement("span");
    bad.className = "bad";
    bad.textContent = card ? `${typed(card)} has already been seen` : `${word} is not a card`;
    return bad;
  }
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 100 140");
  svg.setAttribute("role", "img");
  svg.setAttribute("aria-label", button.dataset.words);
  const use = document.createElementNS("http://www.w3.org/2000/svg", "use");
  use.setAttribute("href", `${sprite}#${card}.index`);
  svg.append(use);
  return svg;
}

function write(cards) {
  field().value = cards.map((word) => (name(word) ? typed(name(word)) : word)).join(" ");
  show();
}

function pick(card) {
  const cards = parts(field().value);
  const here = cards.map(name).indexOf(card);
  if (here >= 0) cards.splice(here, 1);
  else if (need() === 1) cards.splice(0, cards.length, card);
  else cards.push(card);
  write(cards);
}

function confirm() {
  const button = document.getElementById("confirm");
  if (button && !button.disabled) button.click();
}

let rank = "";
function typedKey(event) {
  const letter = event.key.toLowerCase();
  if (letter === "backspace") return write(parts(field().value).slice(0, -1));
  if (rank === "1" && letter === "0") rank = "10";
  else if (/^[2-9tjqka1]$/.test(letter)) rank = letter;
  else if (rank && rank !== "1" && /^[cdhs]$/.test(letter)) {
    const card = name(rank + letter);
    rank = "";
    pick(card); // one that was seen before is shown as such, and cannot be confirmed
  } else return undefined;
  event.preventDefault();
  return undefined;
}

document.addEventListener("click", (event) => {
  const card = event.target.closest?.("[data-card]");
  if (card) {
    event.preventDefault();
    pick(card.dataset.card);
  } else if (event.target.closest?.("#undo")) write(parts(field().value).slice(0, -1));
  const turn = event.target.closest?.("[data-order]");
  if (turn) order(turn);
});
document.addEventListener("input", (event) => { if (event.target.id === "typed") show(); });
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
  if (event.key.length === 1 && document.documentElement.dataset.keys === "off") return; // turned off by the person
  const inside = event.target.closest?.("input, select, textarea, summary");
  const scanning = event.target.id === "typed";
  // Whoever has tapped the last card goes on with Enter, although the key that they tapped still has the focus.
  const tapped = event.target.closest?.("[data-card]") && document.getElementById("confirm")?.disabled === false;
  const elsewhere = !event.target.closest?.("a, button, input, select, textarea, summary");
  if (event.key === "Enter" && (scanning || tapped || elsewhere)) {
    event.preventDefault();
    confirm();
    return;
  }
  if (inside) return;
  const button = document.querySelector(`[data-key="${CSS.escape(event.key.length === 1 ? event.key.toLowerCase() : event.key)}"]`);
  if (button && !button.hidden && event.key !== "Enter") {
    event.preventDefault();
    button.click();
  } else if (field()) typedKey(event);
});

// The trainer: places are tapped in their order; the fields behind them are what is sent.
function order(button) {
  const group = button.closest("[data-orders]");
  const inputs = [...group.querySelectorAll("input, select")];
  const mine = button.closest("li").querySelector("input, select");
  const given = Number(mine.value);
  if (given) inputs.forEach((input) => { if (Number(input.value) >= given) input.value = ""; });
  else mine.value = String(1 + Math.max(0, ...inputs.map((input) => Number(input.value))));
}

let stood = "", asked = "";
function settle() {
  rank = "";
  // What was typed stays while the same is asked for, however often the page changes around it.
  const question = field()?.dataset.for ?? "";
  if (field() && question !== asked) field().value = "";
  asked = question;
  show();
  const steps = document.getElementById("steps"), now = steps?.querySelector(".now");
  const place = now ? now.textContent : "";
  if (now && place !== stood) steps.scrollTop = now.offsetTop - steps.clientHeight * 0.5;
  stood = place;
}
// A form that was carried out is empty again, so that a second tap cannot sell the same chips twice.
let sent = null;
document.addEventListener("submit", (event) => { sent = event.target; });
document.addEventListener("htmx:after:swap", (event) => {
  const { request, response } = event.detail.ctx ?? {};
  if (request?.method === "POST" && (response?.status ?? 200) < 400) {
    const form = sent?.id ? document.getElementById(sent.id) : sent;
    if (form?.isConnected) form.reset();
    sent = null;
  }
  settle();
});
settle();
