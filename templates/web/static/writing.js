// Tells what a move means while it is being written: the server reads it, and what it says stands at the field.

const PAUSE = 300; // milliseconds without a key
let timer = 0;
let last = 0;

async function ask(field) {
  const number = ++last;
  const answer = await fetch(field.dataset.meaning, { method: "POST", body: new FormData(field.form) });
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const told = page.querySelector("#meaning");
  if (number !== last || !told || !document.contains(field)) return;
  document.querySelector("#meaning").replaceChildren(...told.childNodes);
  field.setAttribute("aria-invalid", String(Boolean(document.querySelector("#meaning .problem"))));
}

document.addEventListener("input", ({ target }) => {
  if (!target.dataset.meaning) return;
  clearTimeout(timer);
  // Where the server cannot be reached, it says so when the move is sent.
  timer = setTimeout(() => ask(target).catch(() => {}), PAUSE);
});
