-- Submissions that somebody works on: what their form says, no part of the record until it is sent.
create table draft(
    person text not null, name text not null, rulebook text not null, fields text not null, kept bigint not null,
    primary key(person, name)
);
