-- The recipient's wallet can bind the business as a person does, by a signature over the agreement.

alter table dispute_offers
  add confirmed_text text check (length(confirmed_text) <= 4000),
  add confirmed_signature text check (length(confirmed_signature) <= 4000),
  drop constraint dispute_offers_signed,
  add constraint dispute_offers_signed check (
    (side = 'merchant' or author_kind = 'wallet') and (author_kind = 'wallet') = (signed_text is not null)
    and (author_kind = 'wallet') = (signature is not null)),
  drop constraint dispute_offers_confirmed,
  add constraint dispute_offers_confirmed check (
    (confirmed_at is null) = (confirmed_by is null)
    and (confirmed_text is null) = (confirmed_signature is null)
    and (confirmed_text is null or confirmed_at is not null));
