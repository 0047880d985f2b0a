import { fileSize } from "@holdfast/ui/fileSize.ts";
import type { ReactNode } from "react";
import type { DisputeFile } from "../api/schema.ts";
import * as texts from "../catalogue/index.ts";
import { Erased } from "./erased.tsx";

interface FileListProps {
  readonly files: readonly DisputeFile[];
  /** Further words about a file. */
  readonly about?: (file: DisputeFile) => ReactNode;
}

/** Files of a dispute, which the browser only ever saves; pictures are shown too. */
export const FileList = ({ files, about }: FileListProps) => (
  <ul className="m-0 grid list-none grid-cols-3 gap-3 [overflow-wrap:anywhere] p-0 max-md:grid-cols-2">
    {files.map((file) => (
      <li key={file.id} className="min-w-0 text-small">
        {file.erasedAt === null ? <Saved file={file} /> : <Erased at={file.erasedAt} />}
        <span className="block text-soft">
          {fileSize(file.size, undefined)}
          {about === undefined ? null : <> · {about(file)}</>}
        </span>
      </li>
    ))}
  </ul>
);

/** A file to save, with its picture if it is one. */
const Saved = ({ file }: { readonly file: DisputeFile }) => (
  <a href={file.url} download={file.name} className="grid gap-1">
    {file.type.startsWith("image/") ? (
      <img
        src={file.url}
        alt=""
        loading="lazy"
        className="aspect-[4/3] w-full rounded-small border border-line object-cover"
      />
    ) : (
      <span
        aria-hidden="true"
        className="grid aspect-[4/3] w-full place-items-center rounded-small border border-line bg-hover text-soft"
      >
        {texts.disputes.side.files.kinds[file.type === "text/plain" ? "text" : "pdf"]}
      </span>
    )}
    <bdi translate="no">{file.name}</bdi>
  </a>
);
