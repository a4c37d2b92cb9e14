// Tells what a move means while it is being written, and conditional moves: the server reads them, and what it says
// stands at the field.

const PAUSE = 300; // milliseconds without a key
let timer = 0;
let last = 0;

async function ask(field) {
  const number = ++last;
  const answer = await fetch(field.dataset.meaning, { method: "POST", body: new FormData(field.form) });
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const told = page.querySelector(".meaning");
  if (number !== last || !document.contains(field)) return;
  // No answer is better than one to what stood there before.
  const shown = field.form.querySelector(".meaning");
  shown.replaceChildren(...(told?.childNodes ?? []));
  field.setAttribute("aria-invalid", String(Boolean(shown.querySelector(".problem"))));
}

document.addEventListener("input", ({ target }) => {
  if (!target.dataset.meaning) return;
  clearTimeout(timer);
  // Where the server cannot be reached, it says so when the move is sent.
  timer = setTimeout(() => ask(target).catch(() => {}), PAUSE);
});
