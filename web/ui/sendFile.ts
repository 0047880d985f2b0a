/** The most bytes of a file of a dispute (§4.20.1). */
const FILE_BYTES_MAX = 5_000_000;
/** The types that a chooser offers first; the service goes by the content. */
export const FILE_TYPES = "image/png,image/jpeg,image/webp,application/pdf,text/plain";

const TRIES_MAX = 3;
const RETRY_MS = 1_500;
/** The service waits for all bytes for less than this. */
const ANSWER_MS_MAX = 60_000;

/** A file was not sent; the message is for the reader. */
export class FileError extends Error {
  override readonly name = "FileError";
}

interface SendOptions {
  readonly texts: Readonly<Record<"size" | "unread" | "insecure" | "network", string>>;
  /** Announces the file to the service; its errors are thrown on. */
  readonly announce: (file: {
    readonly name: string;
    readonly size: number;
    readonly sha256: string;
  }) => Promise<{ readonly uploadUrl: string }>;
  /** Called with the share of the bytes that have left. */
  readonly onProgress: (share: number) => void;
}

/** Sends a file of a dispute (§4.20.4): announces its hash, then sends its bytes. Throws {@link FileError}. */
export async function sendFile(file: File, { texts, announce, onProgress }: SendOptions): Promise<void> {
  if (file.size < 1 || file.size > FILE_BYTES_MAX) throw new FileError(texts.size);
  // Browsers have it only for sites with https.
  if (crypto.subtle === undefined) throw new FileError(texts.insecure);
  // The file may have been deleted since it was chosen.
  const bytes = await file.arrayBuffer().catch(() => null);
  if (bytes === null) throw new FileError(texts.unread);
  const digest = await crypto.subtle.digest("SHA-256", bytes);
  const sha256 = [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  const { uploadUrl } = await announce({ name: file.name, size: bytes.byteLength, sha256 });
  await putBytes(uploadUrl, bytes, { texts, onProgress });
}

/** Sends the bytes, and again without an answer: the address takes them once. */
async function putBytes(
  url: string,
  bytes: ArrayBuffer,
  { texts, onProgress }: Omit<SendOptions, "announce">,
): Promise<void> {
  let mayHaveArrived = false;
  for (let tries = 1; ; tries++) {
    const { status, message } = await put(url, bytes, onProgress);
    // The address is used up if an earlier attempt has arrived.
    if (status === 201 || (status === 404 && mayHaveArrived)) return;
    const isUnanswered = status === 0 || status >= 500;
    mayHaveArrived ||= isUnanswered;
    if (!(isUnanswered || status === 429) || tries >= TRIES_MAX) throw new FileError(message ?? texts.network);
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS * tries));
  }
}

/** One request; `fetch` does not say how much has left. Status 0: there was no answer. */
function put(url: string, bytes: ArrayBuffer, onProgress: SendOptions["onProgress"]) {
  return new Promise<{ readonly status: number; readonly message: string | null }>((resolve) => {
    const request = new XMLHttpRequest();
    request.open("PUT", url);
    // A refusal is in the language of the page, whatever the browser prefers.
    request.setRequestHeader("Accept-Language", document.documentElement.lang);
    request.timeout = ANSWER_MS_MAX;
    request.upload.onprogress = ({ loaded }) => onProgress(loaded / bytes.byteLength);
    request.onloadend = () => resolve({ status: request.status, message: messageOf(request.responseText) });
    request.send(bytes);
  });
}

function messageOf(text: string): string | null {
  try {
    return (JSON.parse(text) as { readonly error?: { readonly message: string } }).error?.message ?? null;
  } catch {
    return null; // a proxy answered, or nobody
  }
}
