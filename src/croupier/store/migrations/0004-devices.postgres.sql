-- With what and from where a session was begun, for the person whose it is; it goes when the session is over.
alter table session add column agent text not null default '';
alter table session add column address text not null default '';
-- What the trainer remembers of a person: drills, and how well they decide.
create table practice(person text primary key, kept text not null, saved bigint not null);
