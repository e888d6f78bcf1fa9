// One way to the server: same origin, JSON, the header that no form can send.
import type { Failure } from "./wire";

/** A failure as the server tells it. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly hint: string | null,
  ) {
    super(message);
  }
}

async function read<T>(response: Response): Promise<T> {
  if (response.ok) return (await response.json()) as T;
  let failure: Failure | null = null;
  try {
    failure = (await response.json()) as Failure;
  } catch {
    // No JSON: the words below stand in.
  }
  const error = failure?.error;
  throw new ApiError(
    response.status,
    error?.code ?? "unknown",
    error?.message ?? "The server gave an answer that this page does not understand.",
    error?.hint ?? null,
  );
}

async function send(path: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(`/api${path}`, { ...init, credentials: "same-origin", cache: "no-store" });
  } catch {
    throw new ApiError(0, "gone", "The server does not answer.", "Is `gatewright up` still running?");
  }
}

export async function get<T>(path: string): Promise<T> {
  return read<T>(await send(path, {}));
}

export async function post<T>(path: string, body: unknown = {}): Promise<T> {
  const headers = { "content-type": "application/json", "x-gatewright": "1" };
  return read<T>(await send(path, { method: "POST", headers, body: JSON.stringify(body) }));
}

/** Exchanges the one-time code of the address for a session, and forgets the code. */
export async function signIn(): Promise<void> {
  const code = location.hash.slice(1);
  if (code === "") return;
  history.replaceState(null, "", location.pathname);
  await post("/session", { code });
}
