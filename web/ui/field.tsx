import {
  createContext,
  type InputHTMLAttributes,
  type ReactNode,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
  useContext,
  useId,
} from "react";

const BOX =
  "w-full rounded-small border bg-card px-3 py-[7px] text-body text-ink placeholder:text-faint disabled:opacity-55 aria-invalid:border-bad border-line";

export interface FieldTexts {
  readonly label: string;
  /** A sentence under the field that helps to fill it in. */
  readonly hint?: ReactNode;
  /** The error of the value. */
  readonly error?: string | null | undefined;
}

/** The error of a field by its name, from the form around it. It comes before the field's own. */
export const FieldErrors = createContext<(name: string | undefined) => string | null>(() => null);

interface FrameProps extends FieldTexts {
  readonly name: string | undefined;
  readonly children: (control: {
    id: string;
    "aria-describedby": string | undefined;
    "aria-invalid": true | undefined;
  }) => ReactNode;
}

/** Label, control, hint and error, linked for screen readers. */
function FieldFrame({ label, hint, error: own, name, children }: FrameProps) {
  const id = useId();
  const error = useContext(FieldErrors)(name) ?? own;
  const described = [hint === undefined ? null : `${id}-hint`, error ? `${id}-error` : null].filter(
    (one) => one !== null,
  );
  return (
    <div className="grid content-start gap-1">
      <label htmlFor={id} className="font-medium">
        {label}
      </label>
      {children({
        id,
        "aria-describedby": described.length === 0 ? undefined : described.join(" "),
        "aria-invalid": error ? true : undefined,
      })}
      {hint === undefined ? null : (
        <p id={`${id}-hint`} className="text-small text-soft">
          {hint}
        </p>
      )}
      {error ? (
        <p id={`${id}-error`} className="text-small text-bad">
          {error}
        </p>
      ) : null}
    </div>
  );
}

type InputProps = Omit<InputHTMLAttributes<HTMLInputElement>, "id" | "className">;

export const TextField = ({ label, hint, error, ...rest }: FieldTexts & InputProps) => (
  <FieldFrame {...{ label, hint, error }} name={rest.name}>
    {(control) => <input {...rest} {...control} className={BOX} />}
  </FieldFrame>
);

type AreaProps = Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, "id" | "className">;

export const TextArea = ({ label, hint, error, ...rest }: FieldTexts & AreaProps) => (
  <FieldFrame {...{ label, hint, error }} name={rest.name}>
    {(control) => <textarea rows={5} {...rest} {...control} className={BOX} />}
  </FieldFrame>
);

type SelectProps = Omit<SelectHTMLAttributes<HTMLSelectElement>, "id" | "className">;

export const Select = ({
  label,
  hint,
  error,
  options,
  ...rest
}: FieldTexts & SelectProps & { readonly options: readonly (readonly [value: string, text: string])[] }) => (
  <FieldFrame {...{ label, hint, error }} name={rest.name}>
    {(control) => (
      <select {...rest} {...control} className={`${BOX} pr-6`}>
        {options.map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    )}
  </FieldFrame>
);
