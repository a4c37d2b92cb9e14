// Keeps one event stream for all pages of this browser. Each page holds a lock with its URL to poll. The page that
// gets the lock of the stream opens it for the URLs of all pages, and passes its events on to them; when that page
// is closed, another one gets the lock. Without these functions of the browser, pages poll.

const STREAM = "stream";
const PAGE = "page ";
const AGAIN = 60; // seconds after which a refused stream is tried again

// Calls `hear` with each event, { page, version, waiting }, and `lose` when the stream has ended.
export async function follow(page, hear, lose) {
  if (!window.EventSource || !window.BroadcastChannel || !navigator.locks) return;
  const channel = new BroadcastChannel("pages");
  let source = null;
  let retry = 0;

  const receive = (event) => (event.page ? hear(event) : lose());

  function send(event) {
    channel.postMessage(event);
    receive(event);
  }

  async function open() {
    const { held } = await navigator.locks.query();
    const pages = new Set(held.filter(({ name }) => name.startsWith(PAGE)).map(({ name }) => name.slice(PAGE.length)));
    clearTimeout(retry);
    source?.close();
    source = new EventSource(`/events?${new URLSearchParams([...pages].map((each) => ["page", each]))}`);
    source.onmessage = ({ data }) => send(JSON.parse(data));
    source.onerror = () => {
      send({});
      if (source.readyState === EventSource.CLOSED) retry = setTimeout(open, 1000 * AGAIN);
    };
  }

  // A page that opens asks for a stream with its URL in it.
  channel.onmessage = ({ data }) => (data.opened ? source && open() : receive(data));
  await hold(PAGE + page, "shared");
  channel.postMessage({ opened: true });
  await hold(STREAM, "exclusive");
  await open();
}

// Resolves when this page has the lock; it keeps it to its end.
function hold(name, mode) {
  return new Promise((got) => navigator.locks.request(name, { mode }, () => (got(), new Promise(() => {}))));
}
