// Shows the meaning of a move or of conditional moves below their field while they are being written; the server
// reads them.

const PAUSE = 300; // milliseconds without a key
let timer = 0;
let last = 0;

async function ask(field) {
  const number = ++last;
  const answer = await fetch(field.dataset.meaning, { method: "POST", body: new FormData(field.form) });
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const found = page.querySelector(".meaning");
  if (number !== last || !document.contains(field)) return;
  // Even an empty answer replaces the old one, which belongs to an earlier text.
  const shown = field.form.querySelector(".meaning");
  shown.replaceChildren(...(found?.childNodes ?? []));
  field.setAttribute("aria-invalid", String(Boolean(shown.querySelector(".problem"))));
}

document.addEventListener("input", ({ target }) => {
  if (!target.dataset.meaning) return;
  clearTimeout(timer);
  // If the server cannot be reached, the reader notices it when they send the move.
  timer = setTimeout(() => ask(target).catch(() => {}), PAUSE);
});
