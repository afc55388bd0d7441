// A dealt card comes from the shoe, a turned one turns, a stake drops: each once, when its node is new or shows another face.
import { play } from "./sound.js";

const STEP = 60;

function once(node, name, delay = 0) {
  node.style.setProperty("animation-delay", `${delay}ms`);
  node.classList.add(name);
  node.addEventListener("animationend", () => { node.classList.remove(name); node.style.removeProperty("animation-delay"); }, { once: true });
}

export function watchMotion(root) {
  new MutationObserver((changes) => {
    const dealt = new Set(), turned = new Set(), staked = new Set();
    for (const change of changes) {
      if (change.type === "attributes") {
        const card = change.target.closest?.(".on-felt-card");
        if (card && change.oldValue === "??") turned.add(card);
        continue;
      }
      for (const node of change.addedNodes) {
        if (node.nodeType !== Node.ELEMENT_NODE) continue;
        for (const card of node.matches(".on-felt-card") ? [node] : node.querySelectorAll(".on-felt-card")) dealt.add(card);
        for (const stake of node.matches(".stake, .paid") ? [node] : node.querySelectorAll(".stake, .paid")) staked.add(stake);
      }
    }
    [...dealt].forEach((card, place) => once(card, "fresh", place * STEP));
    turned.forEach((card) => once(card, "turned"));
    staked.forEach((stake) => once(stake, "fresh"));
    if (dealt.size || turned.size) play("card");
    else if (staked.size) play("chip");
  }).observe(root, { subtree: true, childList: true, attributes: true, attributeFilter: ["data-card"], attributeOldValue: true });
}
