-- What people sign in with. It is apart from the record, which has ids only; of sessions and tokens only hashes are kept.
create table credential(
    person text primary key, login text not null unique, password text not null, changed bigint not null,
    totp bytea, totp_key bigint, totp_step bigint not null, recovery text not null
);
create table session(
    hash bytea primary key, person text not null, made bigint not null, seen bigint not null,
    authenticated bigint not null, factor bigint not null, csrf text not null
);
create index session_person on session(person);
create table token(id text primary key, hash bytea not null);
-- From where a person has signed in before: a stranger's failures elsewhere do not delay them there.
create table familiar(person text not null, place text not null, seen bigint not null, primary key(person, place));
