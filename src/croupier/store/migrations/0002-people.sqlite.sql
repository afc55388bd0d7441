-- What people sign in with. It is apart from the record, which has ids only; of sessions and tokens only hashes are kept.
create table credential(
    person text primary key, login text not null unique, password text not null, changed integer not null,
    totp blob, totp_key integer, totp_step integer not null, recovery text not null
) without rowid, strict;
create table session(
    hash blob primary key, person text not null, made integer not null, seen integer not null,
    authenticated integer not null, factor integer not null, csrf text not null
) without rowid, strict;
create index session_person on session(person);
create table token(id text primary key, hash blob not null) without rowid, strict;
-- From where a person has signed in before: a stranger's failures elsewhere do not delay them there.
create table familiar(person text not null, place text not null, seen integer not null, primary key(person, place)) without rowid, strict;
