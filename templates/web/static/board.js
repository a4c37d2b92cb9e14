// Picks on the board without reloading the page. The server decides what can be picked and what follows. This
// module sends each click and replaces parts of the page with those of the response. Without it, the same forms
// and links load whole pages.

import { allowDrags } from "./drag.js";
import { show } from "./parts.js";

export const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const table = document.querySelector(".game-board");
let asking = false;

const making = () => document.querySelector("form.making");
const doors = () => [...document.querySelectorAll(".board .door")];

// A door is a place on the board that can be picked. Doors without a URL become buttons.
function open() {
  for (const door of doors()) if (!door.hasAttribute("href")) door.setAttribute("role", "button");
  stop(doors().find((door) => door === document.activeElement) ?? doors()[0]);
  for (const list of document.querySelectorAll("details.group")) list.open = false;
}

// Only one door can be reached with Tab; the others with arrow keys.
function stop(here) {
  for (const door of doors()) door.setAttribute("tabindex", door === here ? "0" : "-1");
}

// Sends the form of the move with one more field, and shows the response.
function send(form, name, value, address = form.action) {
  const fields = new FormData(form);
  if (name) fields.append(name, value);
  return ask(address, { method: "POST", body: fields });
}

// Plays the move, or seals the orders, without reloading the page, unless the game is over then.
async function play(form) {
  const stateOf = () => document.querySelector("[data-live=live]").dataset.state;
  const state = stateOf();
  if (asking) return;
  asking = true;
  try {
    const shown = await show(form.action, { method: "POST", body: new FormData(form) }, ["part", "live"]);
    if (!shown) return form.submit(); // the browser shows the error; the form names its turn, so it plays no move twice
    if (stateOf() !== state) return location.reload();
    const [sentence] = document.querySelectorAll("[data-part=notices] > p[role=status]");
    sentence?.classList.add("passing");
    document.querySelector("#said").textContent = document.querySelector("[data-part=status] p")?.textContent;
    (document.querySelector("#text[aria-invalid]") ?? choice() ?? table).focus({ preventScroll: true });
  } catch {
    const sentence = "The connection was lost, so your move may not have arrived. It is still here: try again later.";
    document.querySelector("#move-title").after(problem(sentence));
  } finally {
    asking = false;
  }
}

// Shows the parts of another page, and resolves to true, unless that fails or another request is in progress.
async function ask(address, options) {
  if (asking) return;
  asking = true;
  const focused = document.activeElement;
  const from = middle(focused);
  try {
    if (!(await show(address, options))) return location.reload();
    say();
    if (!document.contains(focused)) arrive(focused.closest(".board"), from);
    return true;
  } catch {
    document.querySelector("#move-title").after(problem("The server cannot be reached. Try again in a moment."));
  } finally {
    asking = false;
  }
}

// Announces the picks and the move to screen readers.
function say() {
  const move = document.querySelector("[data-move]")?.dataset.move;
  const picked =
    document.querySelector(".picked li:last-child")?.textContent ??
    document.querySelector("[data-said]")?.dataset.said ??
    "Nothing is picked.";
  document.querySelector("#said").textContent = move ? `${picked}. You can play ${move}` : picked;
}

function problem(sentence) {
  document.querySelector("#move .unreached")?.remove();
  const notice = document.createElement("p");
  notice.className = "problem unreached";
  notice.setAttribute("role", "alert");
  notice.textContent = sentence;
  return notice;
}

// Keeps the focus near its old place: on the board at the nearest door, elsewhere at the next button, or at the
// field of a written move with an error.
function arrive(onBoard, [x, y]) {
  const far = (door) => Math.hypot(middle(door)[0] - x, middle(door)[1] - y);
  const near = doors().sort((one, other) => far(one) - far(other))[0];
  const wrong = document.querySelector("#text[aria-invalid]");
  const play = document.querySelector("[data-act=play], [data-act=seal]");
  const next = wrong ?? (onBoard ? (near ?? play) : (play ?? choice()));
  (next ?? document.querySelector("#move-title")).focus({ preventScroll: next !== wrong });
}

// Returns the first choice: a door, or else a button beside the board. While orders are sealed there is none: they are
// rarely changed, and with the focus on a choice the page would not show the next turn.
function choice() {
  if (document.querySelector(".bar [formaction$='/withdraw']")) return null;
  return doors()[0] ?? document.querySelector("button[data-pick]");
}

function middle(element) {
  const box = element.getBoundingClientRect();
  return [box.x + box.width / 2, box.y + box.height / 2];
}

// Returns the nearest door in a direction. Differences below a pixel are ignored, so that the choice is stable.
export function beside(door, [right, down]) {
  const [x, y] = middle(door);
  let best = null;
  let least = Infinity;
  for (const other of doors()) {
    const [there, below] = middle(other);
    const along = (there - x) * right + (below - y) * down;
    const across = Math.abs((there - x) * down) + Math.abs((below - y) * right);
    const far = along + 3 * across;
    if (along > 1 && far < least - 1) [best, least] = [other, far];
  }
  return best;
}

// The title of a cell begins with the name of its place. The server knows why a place cannot be picked.
const placeOf = (cell) => cell?.querySelector("title")?.textContent.match(/^(\w+): /)?.[1];

const pickOf = (element) => element.closest(".door")?.dataset.pick ?? placeOf(element.closest(".board use"));

// Picks a place of the board, or asks the server why it cannot be picked.
function press(element) {
  const pick = pickOf(element);
  return pick && send(making(), element.closest(".door") ? "pick" : "place", pick);
}

// Returns a function that shows the picks of now again.
function keep() {
  const { action } = making();
  const body = new FormData(making());
  return () => ask(action, { method: "POST", body });
}

document.addEventListener("click", (event) => {
  const clears = event.target.closest("[data-act=clear]");
  const place = pickOf(event.target);
  if (!making() || !(place || clears) || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  if (clears) return ask(clears.href);
  press(event.target);
});

allowDrags(press, keep);

document.addEventListener("submit", (event) => {
  const { target, submitter } = event;
  if (target.matches(".made") && submitter?.matches("[data-act=play], [data-act=seal]")) {
    event.preventDefault();
    return play(target);
  }
  const picks = target.matches("#next, #instead") && !submitter?.hasAttribute("formaction");
  if (!picks && submitter?.dataset.act !== "try") return;
  event.preventDefault();
  send(target, submitter.name, submitter.value, submitter.getAttribute("formaction") ?? target.action);
});

// The text of a move can be typed anywhere, unless the reader has switched that off; Enter tries it.
document.addEventListener("keydown", (event) => {
  const field = document.querySelector("#text");
  if (!field || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  if (event.target === field && event.key === "Enter" && !event.shiftKey) {
    event.preventDefault();
    field.form.requestSubmit(field.form.querySelector("button"));
  } else if (document.documentElement.dataset.typing !== "off" && /^[a-z0-9]$/i.test(event.key) && !event.target.closest("input, textarea, select")) {
    field.closest("details").open = true;
    field.focus();
  }
});

document.addEventListener("keydown", (event) => {
  const door = event.target.closest?.(".door");
  if (!door) return;
  if (event.key === "Enter" || event.key === " ") {
    event.preventDefault();
    send(making(), "pick", door.dataset.pick);
  } else if (event.key === "Escape" || event.key === "Backspace") {
    event.preventDefault();
    making().querySelector("[data-act=back]")?.click();
  } else if (ARROWS[event.key]) {
    event.preventDefault();
    beside(door, ARROWS[event.key])?.focus();
  }
});

document.addEventListener("focusin", (event) => {
  if (event.target.matches(".board .door")) stop(event.target);
});

document.addEventListener("parts", () => {
  open();
  if (document.activeElement === table) choice()?.focus({ preventScroll: true });
});
open();

