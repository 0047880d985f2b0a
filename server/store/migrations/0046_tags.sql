-- A business's tag (§10.3) is made of the last twenty bits of its id, five digits.
create unique index businesses_tag on businesses (right(id, 5));
