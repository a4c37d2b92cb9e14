// Shows the turns of a game: with links, slider and arrow keys, or as a replay. Each turn has a URL, which the browser
// shows; without this module, the same links and the same form lead there.

import { show } from "./parts.js";

const KEYS = { ArrowLeft: "back", ArrowRight: "on", Home: "start", End: "last" };
const PAUSE = 1200; // milliseconds between two turns
const slider = document.querySelector(".replay [type=range]");
const player = document.querySelector("[data-act=autoplay]");
let wanted = null;
let going = false;
let timer = 0;

const way = (where) => document.querySelector(`.turns a[data-go="${where}"]`);

// Shows the page of a URL. Of several requests in the meantime, only the last is shown.
async function go(address) {
  wanted = address;
  if (going) return;
  going = true;
  const focused = document.activeElement?.dataset.go;
  try {
    while (wanted) {
      const next = wanted;
      wanted = null;
      if (!(await show(next))) return location.assign(next);
      history.replaceState(null, "", next);
    }
  } catch {
    stop();
  } finally {
    going = false;
  }
  if (focused) (way(focused) ?? slider).focus({ preventScroll: true });
}

function follow() {
  const { number, last } = document.querySelector(".turns").dataset;
  [slider.max, slider.value] = [last, number];
  document.querySelector("#shown").textContent = document.querySelector(".turns > span:not(.button)").textContent;
}

function stop() {
  clearInterval(timer);
  timer = 0;
  player.textContent = "Replay";
}

function play() {
  player.textContent = "Pause";
  if (!way("on")) go(way("start").href);
  timer = setInterval(() => (way("on") ? go(way("on").href) : stop()), PAUSE);
}

slider.addEventListener("input", () => {
  stop();
  const address = new URL(slider.form.action);
  if (slider.value !== slider.max) address.searchParams.set(slider.name, slider.value);
  go(address.href);
});

player.addEventListener("click", () => (timer ? stop() : play()));

document.addEventListener("click", (event) => {
  const link = event.target.closest(".turns a[data-go], .history a, .line a");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  stop();
  go(link.href);
});

document.addEventListener("keydown", (event) => {
  const link = KEYS[event.key] && way(KEYS[event.key]);
  const writes = event.target.closest("input, textarea, select, .door, .thread, .history, pre");
  if (!link || writes || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  stop();
  go(link.href);
});

document.addEventListener("parts", follow);
