create table meta(key text primary key, value text not null) without rowid, strict;

-- Every stream, where its chain stands, and who may write to it: an append names the epoch it was claimed under.
create table head(
    stream text primary key, seq integer not null, hash blob not null,
    epoch integer not null, owner text not null, until integer not null
) without rowid, strict;

-- `postings` is what an entry moves: [["cage",-500],["table/7/tray",500]], in the row of its line, since one more row
-- for each would make every commit write twice as many pages. The view `posting` has them one by one.
create table event(
    id integer primary key, stream text not null, seq integer not null, name text not null, at integer not null,
    round integer not null, line blob not null, sealed blob, key integer, hash blob not null,
    postings text
) strict;
create unique index event_place on event(stream, seq);
-- Which events there are: whoever opens the store must know them all, and does not look through all lines for that.
create table event_name(name text primary key) without rowid, strict;

create table command(
    stream text not null, giver text not null, key text not null, digest blob not null,
    first integer not null, last integer not null, primary key(stream, giver, key)
) without rowid, strict;

create table secret(commitment text primary key, stream text not null, sealed blob not null, key integer not null) without rowid, strict;
-- A key that was destroyed has no bytes, and the time of that in microseconds: what it sealed stays closed.
create table data_key(
    id integer primary key, day text not null, wrapped blob not null, destroyed integer
) strict;
create unique index data_key_day on data_key(day) where destroyed is null;
create table snapshot(
    stream text not null, seq integer not null, version integer not null, hash blob not null, state blob not null,
    primary key(stream, seq)
) without rowid, strict;
create table checkpoint(number integer primary key, body text not null, signer text not null, signature text not null) strict;
create table law(name text primary key, text text not null) without rowid, strict;

-- An account without a floor is the other side of something and may hold less than nothing.
create table account(
    name text primary key, unit text not null, floor integer, amount integer not null default 0, check(amount >= floor)
) without rowid, strict;
create view posting(stream, seq, account, amount) as
    select event.stream, event.seq, moved.value ->> 0, moved.value ->> 1
    from event, json_each(case when json_valid(event.postings) then event.postings else '[null]' end) as moved
    where event.postings is not null;
create table total(
    stream text not null, day text not null, name text not null, amount integer not null,
    primary key(stream, day, name)
) without rowid, strict;
create trigger total_grows before update on total when new.amount < old.amount
begin select raise(abort, 'a running total only grows'); end;

-- What recall looks for; made from the events, and can be made again.
create table round(
    stream text not null, number integer not null, opened integer not null, closed integer not null,
    first integer not null, last integer not null, rules text not null, void integer not null,
    staked integer not null, paid integer not null,
    hands text not null, clauses text not null, irregularities text not null,
    primary key(stream, number)
) without rowid, strict;
create index round_closed on round(closed);
create table played(
    patron text not null, closed integer not null, stream text not null, number integer not null, seat integer not null,
    staked integer not null, paid integer not null,
    primary key(patron, closed, stream, number, seat)
) without rowid, strict;

-- Where the seed of a shuffle was revealed, for whoever holds its commitment.
create table reveal(commitment text primary key, stream text not null, seq integer not null) without rowid, strict;

-- Where each process that holds tables can be reached by the others.
create table process(owner text primary key, address text not null, seen integer not null) without rowid, strict;

-- Names are apart from the record, which has ids only, so that a person can be forgotten.
create table person(id text primary key, name text not null) without rowid, strict;
