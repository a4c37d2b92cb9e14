// Shows the terms and deadlines of a challenge in words while it is being written; the server provides them.
// Without this module, or while the server cannot be reached, a button does the same.

const PAUSE = 400; // milliseconds without typing
const form = document.querySelector("#challenge");
const look = document.querySelector("#look");
const other = document.querySelector("#other-time");
const paces = [...form.querySelectorAll("input[name=time]")];
let chosen = paces.find((pace) => pace.checked);
let asked = 0;
let waiting = 0;

async function ask() {
  const number = ++asked;
  let page = null;
  try {
    const answer = await fetch(look.firstElementChild.formAction, { method: "POST", body: new FormData(form) });
    page = new DOMParser().parseFromString(await answer.text(), "text/html");
  } catch {
    // The button remains.
  }
  if (number !== asked) return;
  look.hidden = Boolean(page?.querySelector("#deadlines"));
  for (const part of ["#deadlines", "#terms"]) {
    document.querySelector(part).replaceChildren(...(page?.querySelector(part)?.childNodes ?? []));
  }
}

// A written time replaces a chosen one, and the other way round.
function settle(field) {
  if (field === other) for (const pace of paces) pace.checked = pace === chosen && !other.value.trim();
  if (!paces.includes(field)) return;
  chosen = field;
  other.value = "";
}

function changed({ target }) {
  if (target.id === "opponents") return;
  settle(target);
  clearTimeout(waiting);
  waiting = setTimeout(ask, PAUSE);
}

form.addEventListener("input", changed);
form.addEventListener("change", changed); // some browsers send only this event for lists

look.hidden = true;
