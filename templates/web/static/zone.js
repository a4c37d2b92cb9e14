// Suggests the browser's time zone if none has been chosen. It is stored when the form is sent.

const STANDARD = "UTC";
const field = document.querySelector("#zone");
const here = Intl.DateTimeFormat().resolvedOptions().timeZone;

if (field?.value === STANDARD && here && here !== STANDARD) {
  field.value = here;
  const note = document.createElement("p");
  note.id = "zone-found";
  note.className = "hint";
  note.textContent = `This is the time zone of your browser (${here}). It is stored once you press “${
    field.form.querySelector("button").textContent.trim()
  }”.`;
  field.after(note);
  field.setAttribute("aria-describedby", `${field.getAttribute("aria-describedby")} ${note.id}`);
}
