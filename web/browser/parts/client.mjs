// A person without a browser: signs in with a link and speaks as the page does.
import { request } from "node:http";

export async function signIn(link) {
  const [base, code] = link.split("#");
  const origin = base.replace(/\/$/u, "");
  const cookie = { value: "" };
  const send = (method, path, body) =>
    new Promise((resolve, reject) => {
      const headers = { origin, cookie: cookie.value, "x-gatewright": "1", "content-type": "application/json" };
      const sent = request(`${origin}/api${path}`, { method, headers, agent: false }, (response) => {
        let text = "";
        response.on("data", (data) => (text += data));
        response.on("end", () => {
          const set = response.headers["set-cookie"]?.[0];
          if (set) cookie.value = set.split(";")[0];
          resolve({ status: response.statusCode, json: text === "" ? null : JSON.parse(text) });
        });
        response.on("error", reject);
      });
      sent.on("error", reject);
      sent.end(body === undefined ? undefined : JSON.stringify(body));
    });
  const get = (path) => send("GET", path);
  const post = (path, body = {}) => send("POST", path, body);
  const signed = await post("/session", { code });
  if (signed.status !== 200) throw new Error(`no session: ${JSON.stringify(signed)}`);
  return { get, post, listen: (hear) => listen(origin, cookie.value, hear) };
}

/** Hears the events until it is stopped. */
function listen(origin, cookie, hear) {
  return new Promise((resolve, reject) => {
    const sent = request(`${origin}/api/events`, { headers: { cookie }, agent: false }, (response) => {
      let text = "";
      response.on("data", (data) => {
        text += data;
        for (let cut = text.indexOf("\n\n"); cut >= 0; cut = text.indexOf("\n\n")) {
          const frame = text.slice(0, cut);
          text = text.slice(cut + 2);
          const line = frame.split("\n").find((each) => each.startsWith("data: "));
          if (line) hear(JSON.parse(line.slice(6)));
        }
      });
      response.on("error", () => {});
      resolve({ stop: () => sent.destroy() });
    });
    sent.on("error", reject);
    sent.end();
  });
}

/** Accepts everything of a change as it stands; gives what the apply has to name. */
export async function acceptAll(person, id) {
  const seen = (await person.get(`/changes/${id}`)).json;
  if (!seen?.summary) return null;
  const body = { content: seen.summary.content, part: { of: "all" }, choice: "accept" };
  const decided = await person.post(`/changes/${id}/decide`, body);
  return decided.status === 200 ? decided.json.version : null;
}
