// Plays two short tones when it becomes the reader's turn, and one when there is a message. The tones are computed,
// so nothing is loaded. Of several open pages that get an event of the stream, only one plays them.

const TURN = [660, 880]; // hertz
const MESSAGE = [740];
const LENGTH = 0.15; // seconds of a tone
const VOLUME = 0.08;
let context = null;

// Takes two counts of games, turns and messages that wait for the reader ("3.1.2"), and rings if one rises.
export function ring(before, after) {
  const [[, turns, messages], [, moreTurns, moreMessages]] = [before, after].map((each) => each.split("."));
  const tones = +moreTurns > +turns ? TURN : +moreMessages > +messages ? MESSAGE : null;
  if (!tones || !isWanted()) return;
  const once = (lock) => lock && play(tones);
  const played = navigator.locks ? navigator.locks.request("sound", { ifAvailable: true }, once) : play(tones);
  played.catch(() => {}); // a page without sound is complete
}

// Browsers play nothing on pages that were never clicked.
function isWanted() {
  const { sound } = document.documentElement.dataset;
  const isOn = sound === "on" || (sound === "auto" && !matchMedia("(pointer: coarse)").matches);
  return isOn && (navigator.userActivation?.hasBeenActive ?? true);
}

// Resolves a second after the tones begin, so that the other pages, which get the same event, find the lock taken. Gives
// up if the device lets no tone begin within a second, so that the next page can try.
async function play(tones) {
  context ??= new AudioContext();
  try {
    await Promise.race([context.resume(), aSecond()]);
    if (context.state !== "running") return;
    begin(tones);
    await aSecond();
  } finally {
    context.suspend().catch(() => {});
  }
}

const aSecond = () => new Promise((done) => setTimeout(done, 1000));

function begin(tones) {
  for (const [place, pitch] of tones.entries()) {
    const start = context.currentTime + place * LENGTH;
    const [tone, volume] = [new OscillatorNode(context, { frequency: pitch }), new GainNode(context, { gain: VOLUME })];
    volume.gain.setValueAtTime(VOLUME, start);
    volume.gain.exponentialRampToValueAtTime(0.001, start + LENGTH);
    tone.connect(volume).connect(context.destination);
    tone.start(start);
    tone.stop(start + LENGTH);
  }
}
