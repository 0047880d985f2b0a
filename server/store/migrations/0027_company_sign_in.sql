-- Sign-in by a company's OpenID Connect provider.

-- The person of a provider, as `sub` names it, by whom a user signs in.
create table company_identities (
  issuer text collate "C" not null check (length(issuer) between 1 and 500),
  subject text collate "C" not null check (length(subject) between 1 and 255),
  user_id text collate "C" not null references users (id),
  -- The last time at which the provider confirmed the person.
  confirmed_at timestamptz not null,
  primary key (issuer, subject),
  unique (user_id, issuer)
);

-- A session of a company ends with the link, and is closed ten minutes after the provider last confirmed it.
alter table sessions
  add column company_issuer text collate "C",
  add column company_subject text collate "C",
  -- The refresh token, sealed; null: the provider gave none, and nothing can confirm the session again.
  add column company_token text,
  add column company_confirmed_at timestamptz,
  add column company_due_at timestamptz,
  -- The provider's groups make the user an operator in this session.
  add column company_operator boolean not null default false,
  drop constraint sessions_method_check,
  add constraint sessions_method_check check (method in ('password', 'password_and_code', 'password_and_backup_code',
    'passkey', 'link', 'company', 'company_and_code', 'company_and_backup_code')) not valid,
  add constraint sessions_company check (
    (starts_with(method, 'company') and company_issuer is not null and company_subject is not null and company_confirmed_at is not null)
    or (not starts_with(method, 'company') and company_issuer is null and company_subject is null and company_token is null
      and company_confirmed_at is null and company_due_at is null and not company_operator)) not valid,
  add constraint sessions_company_identity foreign key (company_issuer, company_subject)
    references company_identities (issuer, subject) on delete cascade not valid;
create index sessions_company_due_at on sessions (company_due_at) where company_due_at is not null;
create index sessions_company_identity on sessions (company_issuer, company_subject) where company_issuer is not null;

-- A role that a group of the provider gives counts in sessions of the company alone; only people make owners.
alter table members
  add column by_group boolean not null default false,
  add constraint members_by_group check (not by_group or role <> 'owner');

alter table one_time_secrets
  -- The session that links or proves by the provider.
  add column session_id text collate "C",
  -- What the provider said, sealed, until the code of an authenticator app is given.
  add column company text,
  drop constraint one_time_secrets_purpose_check,
  drop constraint one_time_secrets_check,
  add constraint one_time_secrets_purpose_check check (purpose in ('first_owner', 'set_password', 'second_factor',
    'passkey_sign_in', 'passkey_registration', 'passkey_proof', 'company_sign_in', 'company_link', 'company_proof')),
  add constraint one_time_secrets_user_check
    check ((user_id is null) = (purpose in ('first_owner', 'passkey_sign_in', 'company_sign_in'))),
  add constraint one_time_secrets_session_check
    check ((session_id is null) = (purpose not in ('company_link', 'company_proof'))),
  add constraint one_time_secrets_company_check check (company is null or purpose = 'second_factor');
