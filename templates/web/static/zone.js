// Fills in the browser's time zone if none has been chosen. It is stored when the form is sent.

// Browsers that hide where they are report it as well.
const STANDARD = "UTC";
const field = document.querySelector("#zone");
const here = Intl.DateTimeFormat().resolvedOptions().timeZone;

if (field?.value === "" && here && here !== STANDARD) {
  field.value = here;
  if (field.type !== "hidden") explain();
}

function explain() {
  const part = field.closest("details");
  if (part) part.open = true;
  const note = document.createElement("p");
  note.id = "zone-found";
  note.className = "hint";
  note.textContent = `This is the time zone of your browser (${here}). It is stored once you press “${
    field.form.querySelector("button").textContent.trim()
  }”.`;
  field.after(note);
  field.setAttribute("aria-describedby", `${field.getAttribute("aria-describedby")} ${note.id}`);
}
