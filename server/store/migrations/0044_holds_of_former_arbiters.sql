-- People lie in the main database and cases in cells, so no trigger joins them: whoever takes an arbiter's role away ends
-- what they hold in every cell, and a step of each cell makes up for it.

drop trigger users_no_arbiter on users;
drop function end_holds();
