// Logs in with a passkey or adds one: after a click, it gets a challenge from the server, lets the device answer it,
// and sends the form with the answer. Without this module, passkeys can only be listed and removed.

const form = document.querySelector("#passkey");
const said = document.querySelector("#passkey-said");

async function answered(options) {
  if (form.dataset.makes) {
    return navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options) });
  }
  return navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options) });
}

async function go() {
  const asked = await fetch(form.dataset.ask, { method: "POST", body: new FormData(form) });
  if (!asked.ok) {
    said.textContent = asked.status === 422 ? await asked.text() : said.dataset.failed;
    return;
  }
  form.elements.credential.value = JSON.stringify(await answered(await asked.json()));
  form.submit();
}

form?.addEventListener("submit", async (event) => {
  event.preventDefault();
  said.textContent = "";
  try {
    await go();
  } catch {
    said.textContent = said.dataset.failed;
  }
});

if (form && window.PublicKeyCredential?.parseCreationOptionsFromJSON) {
  form.hidden = false;
  said.textContent = "";
} else if (form) {
  said.textContent = said.dataset.unable;
}
