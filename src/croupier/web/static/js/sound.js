// Sound, made on the spot and off until asked for: a card is a breath of noise, a chip two clicks. Never the only sign of anything.
export const sound = { on: localStorage.getItem("sound") === "on" };
let context;

function burst({ at = 0, length, frequency, q, gain }) {
  const source = context.createBufferSource(), buffer = context.createBuffer(1, context.sampleRate * length, context.sampleRate), data = buffer.getChannelData(0);
  for (let i = 0; i < data.length; i++) data[i] = (Math.random() * 2 - 1) * (1 - i / data.length) ** 3;
  const filter = Object.assign(context.createBiquadFilter(), { type: "bandpass" }), volume = context.createGain();
  filter.frequency.value = frequency; filter.Q.value = q; volume.gain.value = gain;
  source.buffer = buffer;
  source.connect(filter).connect(volume).connect(context.destination);
  source.start(context.currentTime + at);
}

export function play(what) {
  if (!sound.on) return;
  context ??= new AudioContext();
  if (what === "card") burst({ length: .12, frequency: 2400, q: .8, gain: .25 });
  if (what === "chip") { burst({ length: .03, frequency: 4200, q: 9, gain: .9 }); burst({ at: .045, length: .03, frequency: 3600, q: 9, gain: .6 }); }
}

/** A button that turns sound on and off; it is remembered by this browser alone. */
export function offerSound(button) {
  if (!button) return;
  const say = () => { button.textContent = `Sound ${sound.on ? "on" : "off"}`; button.setAttribute("aria-pressed", String(sound.on)); };
  button.hidden = false;
  say();
  button.addEventListener("click", () => { sound.on = !sound.on; localStorage.setItem("sound", sound.on ? "on" : "off"); say(); play("chip"); });
}
