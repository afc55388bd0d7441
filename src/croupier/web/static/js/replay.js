// A round step by step: keys, slider and list fetch the step from the server and put it in place; nothing is worked out here.
const live = document.querySelector("[data-live]");
const part = () => document.querySelector("[data-retold]");
const scrub = () => part()?.querySelector("[data-scrub]");
let wanted = 0, busy = false, timer = 0;

function address(step) {
  const url = new URL(location.href);
  url.searchParams.set("at", step);
  url.hash = "";
  return url;
}
async function load() {
  if (busy) return;
  busy = true;
  while (wanted) {
    const step = wanted;
    wanted = 0;
    const url = address(step);
    history.replaceState(null, "", url);
    url.searchParams.set("part", "replay");
    try {
      const answer = await fetch(url, { headers: { accept: "text/html" } });
      if (!answer.ok) { location.reload(); return; }
      put(new DOMParser().parseFromString(await answer.text(), "text/html").querySelector("[data-retold]"));
    } catch { location.reload(); return; }
  }
  busy = false;
}
function put(next) {
  if (!next) return;
  const now = part(), y = scrollY, bar = scrub(), other = next.querySelector("[data-scrub]");
  for (const name of ["[data-lay]", "[data-now]", "[data-steps]"]) {
    const old = now.querySelector(name), fresh = next.querySelector(name);
    if (old && fresh) old.replaceWith(document.adoptNode(fresh));
  }
  for (const link of bar.querySelectorAll("a[data-step]")) link.href = other.querySelector(`[data-step="${link.dataset.step}"]`).getAttribute("href");
  const slider = bar.querySelector("input[type=range]");
  if (!wanted) slider.value = other.querySelector("input[type=range]").getAttribute("value");
  bar.querySelector("[data-count]").textContent = other.querySelector("[data-count]").textContent;
  if (live) live.textContent = next.dataset.said;
  scrollTo(0, y);
  keepInView();
}
function keepInView() {
  const list = part().querySelector("[data-steps]"), row = list.querySelector("[aria-current]");
  if (!row) return;
  if (list.scrollHeight > list.clientHeight + 4) { list.scrollTop = row.offsetTop - list.clientHeight / 3; return; }
  const held = part().querySelector(".replay");
  if (getComputedStyle(held).position !== "sticky") return; // the slider stays where the finger is
  const box = row.getBoundingClientRect(), above = held.getBoundingClientRect().bottom;
  if (box.top < above || box.bottom > innerHeight) scrollBy(0, box.top - Math.max(above, innerHeight / 2));
}
const slider = () => scrub().querySelector("input[type=range]");
const at = () => Number(slider().value), last = () => Number(slider().max);
function go(step) {
  const to = Math.max(1, Math.min(last(), step));
  slider().value = to;
  wanted = to;
  load();
}
function stop() { clearInterval(timer); timer = 0; scrub().querySelector("[data-play]").classList.remove("on"); }
function play() {
  if (timer) { stop(); return; }
  if (at() >= last()) go(1);
  scrub().querySelector("[data-play]").classList.add("on");
  timer = setInterval(() => { if (at() >= last()) stop(); else go(at() + 1); }, 900);
}
const STEPS = { first: () => 1, back: () => at() - 1, on: () => at() + 1 };
const KEYS = { ArrowLeft: () => at() - 1, ArrowRight: () => at() + 1, Home: () => 1, End: () => last() };

if (part()) {
  scrub().querySelector("[data-go]").hidden = true;
  scrub().querySelector("[data-play]").hidden = false;
  slider().addEventListener("input", () => { stop(); go(at()); });
  scrub().addEventListener("submit", (event) => { event.preventDefault(); go(at()); });
  document.addEventListener("click", (event) => {
    if (event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey) return;
    const step = event.target.closest("[data-step]"), row = event.target.closest("[data-n]");
    if (event.target.closest("[data-play]")) play();
    else if (step) { event.preventDefault(); stop(); go(STEPS[step.dataset.step]()); }
    else if (row && (event.target.closest(".to-step") || !event.target.closest("a"))) { event.preventDefault(); stop(); go(Number(row.dataset.n)); }
  });
  document.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.target.closest("input, select, textarea, summary, [role=region]")) return;
    if (event.key in KEYS) { event.preventDefault(); stop(); go(KEYS[event.key]()); }
    else if (event.key.toLowerCase() === "p" && document.documentElement.dataset.keys !== "off") { event.preventDefault(); play(); }
  });
  if (new URLSearchParams(location.search).has("at")) keepInView();
}

// A checkpoint from a file goes into the field beside it; it is sent with the form like one that was pasted.
for (const file of document.querySelectorAll("[data-into]")) {
  file.closest("[hidden]")?.removeAttribute("hidden");
  file.addEventListener("change", async () => { if (file.files.length) document.getElementById(file.dataset.into).value = (await file.files[0].text()).trim(); });
}
