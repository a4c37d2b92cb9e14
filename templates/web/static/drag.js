// Drags of pieces on the board. A drag is a press on the piece and then a press on another place, so the server decides
// about it as about any other picks. Pieces that can be dragged do not scroll the page (see the style sheet).

const FAR = 8; // pixels that a pointer moves before it drags
const PIECES = ".board [data-lifts], .board [data-held]";
let drag = null;
let covered = null; // the line beside the board and its content, while it names the place below the pointer

// Lets the reader drag. `press` makes the picks of a press on an element of the board, and resolves to true once the
// page shows them; `keep` returns a function that shows the picks of now again.
export function allowDrags(press, keep) {
  document.addEventListener("pointerdown", (event) => {
    // A second finger, to zoom or by mistake; a palm beside a pen does not count.
    if (drag?.ghost) return event.pointerType === drag.from.pointerType ? cancel() : undefined;
    const piece = event.target.closest(PIECES);
    drag = piece && event.isPrimary && event.button === 0 ? { piece, from: event, ghost: null } : null;
  });

  document.addEventListener("pointermove", (event) => {
    if (!isDraggedBy(event)) return;
    const { piece, from } = drag;
    if (!drag.ghost && Math.hypot(event.clientX - from.clientX, event.clientY - from.clientY) < FAR) return;
    if (!drag.ghost) {
      document.documentElement.setPointerCapture(event.pointerId); // the answer to the press replaces the board
      drag.restore = keep();
      drag.ghost = ghostOf(pieceCell(piece, from.target));
      drag.picked = "held" in piece.dataset ? null : press(piece);
    }
    drag.ghost.style.translate = `${event.clientX}px ${event.clientY}px`;
    aim(targetAt(event));
  });

  document.addEventListener("pointerup", async (event) => {
    if (!isDraggedBy(event)) return;
    const { ghost, picked } = drag;
    drag = null;
    if (!ghost) return;
    ghost.remove();
    aim(null);
    await picked;
    const target = targetAt(event);
    if (target && document.querySelector(".board [data-held]")) press(target); // unless the piece was not picked
  });

  document.addEventListener("pointercancel", (event) => {
    if (isDraggedBy(event)) cancel();
  });

  // Browsers would drag the address of a place.
  document.addEventListener("dragstart", (event) => event.target.closest?.(".board") && event.preventDefault());
}

// Returns whether an event is of the pointer that drags or may begin to.
function isDraggedBy({ pointerId }) {
  return drag?.from.pointerId === pointerId;
}

// Ends the drag as if it had not begun.
async function cancel() {
  const { ghost, picked, restore } = drag;
  drag = null;
  if (!ghost) return;
  ghost.remove();
  aim(null);
  if (await picked) restore();
}

// Returns the cell at a point, unless the dragged piece came from there.
function targetAt({ clientX, clientY }) {
  const cell = document.elementFromPoint(clientX, clientY)?.closest(".board use");
  return cell && !cell.closest("[data-held]") ? cell : null;
}

// Marks the place below the pointer and names it beside the board, because a finger may cover it. Without such a place,
// the line beside the board gets its content back.
function aim(cell) {
  const target = cell?.closest(".door:not([data-lifts])");
  for (const other of document.querySelectorAll(".board .aimed")) other.classList.remove("aimed");
  if (!target) {
    covered?.line.replaceChildren(...covered.content);
    covered = null;
    return;
  }
  cell.classList.add("aimed");
  const line = document.querySelector(".move-text");
  if (line && line !== covered?.line) covered = { line, content: [...line.childNodes] }; // the answer replaces the line
  if (line) line.textContent = target.ariaLabel;
}

// Returns the cell of a place that shows its piece: the pressed one, or another one of its stack.
function pieceCell(piece, pressed) {
  const shows = (cell) => cell?.querySelector("title");
  const cell = pressed.closest("use");
  return shows(cell) ? cell : ([...piece.querySelectorAll("use")].find(shows) ?? cell);
}

// Adds a copy of a cell to the page, which follows the pointer.
function ghostOf(cell) {
  const board = cell.ownerSVGElement;
  const shape = document.querySelector(cell.getAttribute("href")).cloneNode(true);
  shape.removeAttribute("id");
  for (const light of shape.querySelectorAll(".lit")) light.remove();
  const ghost = board.cloneNode(false);
  ghost.setAttribute("class", "ghost");
  ghost.setAttribute("viewBox", "-21 -21 42 42");
  ghost.style.width = `${42 * board.getScreenCTM().a}px`;
  ghost.append(shape);
  document.body.append(ghost);
  return ghost;
}
