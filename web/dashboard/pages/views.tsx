import { Button } from "@holdfast/ui/button.tsx";
import { TextField } from "@holdfast/ui/field.tsx";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import * as texts from "../catalogue/index.ts";
import { FormDialog } from "../forms/dialogs.tsx";
import { useTenant } from "../shell/tenant.ts";
import type { FilterValues } from "./listFilters.ts";
import { isSameView, readViews, VIEW_TITLE_CHARACTERS_MAX, type View, withView } from "./savedViews.ts";

const TAB =
  "whitespace-nowrap border-b-2 border-transparent py-2 text-soft no-underline hover:text-ink aria-[current=page]:border-accent aria-[current=page]:font-semibold aria-[current=page]:text-ink";

/**
 * The views of a list: those of the page, and those that the reader saved on this device. A view is the filters in the
 * page's address.
 */
export function Views({
  list,
  views,
  values,
}: {
  readonly list: string;
  readonly views: readonly View[];
  readonly values: FilterValues;
}) {
  const { business } = useTenant();
  const key = `views:${business.id}:${list}`;
  const [saved, setSaved] = useState(() => readViews(localStorage.getItem(key)));
  const [isSaving, setSaving] = useState(false);
  const store = (next: readonly View[]) => {
    setSaved(next);
    localStorage.setItem(key, JSON.stringify(next));
  };
  const isCurrent = ({ filters }: View) => isSameView(filters, values);
  const current = saved.find(isCurrent);
  const isNamed = current !== undefined || views.some(isCurrent);
  return (
    <div className="flex min-w-0 flex-wrap items-center gap-x-5 border-b border-line">
      <nav aria-label={texts.pages.views} className="-mb-px flex min-w-0 gap-5 overflow-x-auto">
        {[...views, ...saved].map((view, place) => (
          <Link
            key={place < views.length ? `page:${view.title}` : `saved:${view.title}`}
            to="."
            search={view.filters as Record<string, string>}
            activeOptions={{ exact: true, includeSearch: true }}
            aria-current={isCurrent(view) ? "page" : undefined}
            className={TAB}
          >
            {view.title}
          </Link>
        ))}
      </nav>
      {isNamed ? null : (
        <Button kind="quiet" onClick={() => setSaving(true)}>
          {texts.pages.saveView}
        </Button>
      )}
      {current === undefined ? null : (
        <Button kind="quiet" onClick={() => store(saved.filter((view) => view !== current))}>
          {texts.pages.removeView}
        </Button>
      )}
      {isSaving ? (
        <FormDialog
          title={texts.pages.saveView}
          text={texts.pages.saveViewText}
          submitText={texts.common.save}
          onClose={() => setSaving(false)}
          onSubmit={async ({ title = "" }) => {
            if (title.trim() === "") return;
            store(withView(saved, { title: title.trim(), filters: values }));
            setSaving(false);
          }}
        >
          <TextField
            label={texts.common.name}
            name="title"
            maxLength={VIEW_TITLE_CHARACTERS_MAX}
            autoComplete="off"
            required
          />
        </FormDialog>
      ) : null}
    </div>
  );
}
