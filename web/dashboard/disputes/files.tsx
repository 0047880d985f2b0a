import { Notice } from "@holdfast/ui/badge.tsx";
import { Button } from "@holdfast/ui/button.tsx";
import { FILE_TYPES, FileError, sendFile } from "@holdfast/ui/sendFile.ts";
import { Time } from "@holdfast/ui/time.tsx";
import { showToast } from "@holdfast/ui/toast.tsx";
import { useMutation } from "@tanstack/react-query";
import { useId, useRef, useState } from "react";
import { callWrite } from "../api/client.ts";
import { readAgain } from "../api/queries.ts";
import type { DisputeWithTexts } from "../api/schema.ts";
import { messageOf } from "../api/useAction.ts";
import { Filled } from "../catalogue/filled.tsx";
import * as texts from "../catalogue/index.ts";
import { Section } from "../shell/page.tsx";
import { useTenant } from "../shell/tenant.ts";
import { answerOnceUntil, can } from "./dispute.ts";
import { FileList } from "./fileList.tsx";

interface FilesProps {
  readonly dispute: DisputeWithTexts;
}

/** The files of both sides, and the form for further ones of the business. */
export function Files({ dispute }: FilesProps) {
  const { may } = useTenant();
  const canSend = may("answer_disputes") && can(dispute, "send_file");
  if (dispute.files.length === 0 && !canSend) return null;
  return (
    <Section title={texts.disputes.side.files.title}>
      {dispute.files.length === 0 ? null : (
        <FileList
          files={dispute.files}
          about={({ side, createdAt }) => (
            <>
              {texts.disputes.talk.sides[side]} · <Time at={createdAt} />
            </>
          )}
        />
      )}
      {canSend ? <SendFiles dispute={dispute} /> : null}
    </Section>
  );
}

const FILES_MAX = 10;

/** Sends the chosen files one behind the other, up to the first that is refused. */
function SendFiles({ dispute }: FilesProps) {
  const { path: tenant } = useTenant();
  const input = useRef<HTMLInputElement>(null);
  const [id, hint] = [useId(), useId()];
  const [sending, setSending] = useState({ name: "", share: 0 });
  const labels = texts.disputes.side.files;
  const path = { ...tenant, dispute: dispute.id };
  const send = useMutation<void, Error, readonly File[]>({
    mutationFn: async (files) => {
      for (const file of files) {
        setSending({ name: file.name, share: 0 });
        await sendFile(file, {
          texts: { ...labels.sending, network: texts.disputes.files.unanswered },
          announce: (body) => callWrite("announceDisputeFile", { path, body }),
          onProgress: (share) => setSending({ name: file.name, share }),
        });
      }
    },
    onSuccess: () => showToast(texts.disputes.files.sent),
    onSettled: async () => {
      if (input.current !== null) input.current.value = "";
      await readAgain("announceDisputeFile");
    },
  });
  // A mark in a name that turns the direction of a text ends with it.
  const name = <bdi translate="no">{sending.name}</bdi>;
  const sent = dispute.files.filter(({ side }) => side === "merchant").length;
  return (
    <form
      className="grid justify-items-start gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        send.mutate([...(input.current?.files ?? [])]);
      }}
    >
      <label htmlFor={id} className="font-medium">
        {labels.choose}
      </label>
      <input
        id={id}
        ref={input}
        type="file"
        multiple
        required
        accept={FILE_TYPES}
        aria-describedby={hint}
        disabled={send.isPending}
        className="max-w-full text-small text-soft file:mr-3 file:rounded-small file:border file:px-3 file:py-[7px]"
      />
      <p id={hint} className="max-w-text text-small text-soft">
        {labels.hint} {answerOnceUntil(dispute, "merchant") === null ? null : labels.asWord}{" "}
        {dispute.status === "deciding" && dispute.questionUntil === null ? labels.follow : null}
      </p>
      <div className="flex flex-wrap items-center gap-3">
        <Button type="submit" isBusy={send.isPending}>
          {labels.send}
        </Button>
        <span className="text-small text-soft">{labels.count(sent, FILES_MAX)}</span>
      </div>
      <div aria-live="polite" className="grid w-full gap-2">
        {send.isPending ? (
          <>
            <progress
              className="w-full accent-[var(--accent)]"
              max={1}
              value={sending.share}
              aria-label={labels.progress}
            />
            <p>
              <Filled text={labels.sending.file} slots={{ name }} />
            </p>
          </>
        ) : null}
        {send.error === null ? null : (
          <Notice tone="bad">
            <p>
              {name}: {send.error instanceof FileError ? send.error.message : messageOf(send.error)}
            </p>
          </Notice>
        )}
      </div>
    </form>
  );
}
