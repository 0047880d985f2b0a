import { checked } from "../../domain/values.ts";
import { type Field, field } from "../../edge/http/fields.ts";

/** Fields of the bodies of the staff API. They only limit the length; the operation decides which values are valid. */

const text = (description: string, charactersMax: number): Field<string> =>
  field(
    checked(
      { maxLength: charactersMax },
      `a text of at most ${charactersMax} characters`,
      (value) => value.length <= charactersMax,
    ),
    { description: description },
  );

export const emailField = text("An e-mail address.", 320);
export const passwordField = text("The password.", 1_000);
export const nameField = text("A name of 1 to 100 characters.", 400);
export const codeField = text("A code of the authenticator app, or a backup code.", 50);
export const secretField = (description: string, charactersMax = 300): Field<string> =>
  text(description, charactersMax);
