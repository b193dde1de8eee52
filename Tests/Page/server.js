/** Replaces `fetch` for the page's modules: a request waits until a test answers it. */
export const requests = [];

// Node.js before version 19 has no CustomEvent.
globalThis.CustomEvent ??= class extends Event {
  constructor(name, { detail }) { super(name); this.detail = detail; }
};
globalThis.sessionStorage = { getItem: () => "a-key" };
globalThis.matchMedia = () => ({ matches: false });
globalThis.fetch = (address, options = {}) => new Promise((resolve, reject) => {
  const url = new URL(address, "http://here/");
  requests.push({
    path: url.pathname.replace("/api/1/", ""), query: Object.fromEntries(url.searchParams), options,
    answer: (body, status = 200) => resolve({
      ok: status < 300, status, json: async () => body, arrayBuffer: async () => body,
    }),
    fail: (error) => reject(error),
  });
});

/** Waits until the page's modules have handled the answers so far. */
export const settled = () => new Promise((done) => setImmediate(done));

/** The oldest request without an answer; its path must be `path`. */
export async function next(path) {
  await settled();
  const request = requests.shift();
  if (request?.path !== path) throw new Error(`${path} is not asked for, but ${request?.path ?? "nothing"}`);
  return request;
}
